/** Fields of success replies whose published format the served document lacks: `GET /v3/orders orders[].created_at: date-time`. */
export function missingFormats(contract, served) {
  const paths = new Map(Object.entries(served.paths).map(([path, item]) => [shape(path), item]))
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const want = replySchema(item[method])
      const have = replySchema(paths.get(shape(path))?.[method])
      if (!want || !have) return []
      const formats = formatsOf(served, have)
      return [...formatsOf(contract, want)].flatMap(([field, published]) =>
        [...published]
          .filter((format) => !formats.get(field)?.has(format))
          .map((format) => `${method.toUpperCase()} ${path} ${field}: ${format}`),
      )
    }),
  )
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
const shape = (path) => path.replace(/\{[^}]+\}/g, '{}')

function replySchema(operation) {
  const status = Object.keys(operation?.responses ?? {}).find((code) => code.startsWith('2'))
  return operation?.responses?.[status]?.content?.['application/json']?.schema
}

/** The formats of every field by its path; `uuid4` is `uuid`. */
function formatsOf(document, schema) {
  const found = new Map()
  const visit = (node, path, trail) => {
    if (typeof node !== 'object' || node === null) return
    if (node.$ref) {
      if (trail.includes(node.$ref)) return
      const keys = node.$ref.slice(2).split('/')
      visit(
        keys.reduce((at, key) => at?.[key], document),
        path,
        [...trail, node.$ref],
      )
      return
    }
    if (node.format) {
      found.set(path, (found.get(path) ?? new Set()).add(node.format === 'uuid4' ? 'uuid' : node.format))
    }
    for (const branch of [node.anyOf, node.oneOf, node.allOf].flatMap((each) => each ?? []))
      visit(branch, path, trail)
    for (const [name, child] of Object.entries(node.properties ?? {}))
      visit(child, path === '' ? name : `${path}.${name}`, trail)
    visit(node.items, `${path}[]`, trail)
    visit(node.additionalProperties, `${path}.*`, trail)
  }
  visit(schema, '', [])
  return found
}
