import { cell, type PartOfSite, page, table } from './part.ts'
import { nameOfRef, refsIn, type Schema, typeInWords } from './schemas.ts'

interface Media {
  readonly schema?: Schema
}

interface Content {
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

/** What is used here of the document that a Petri serves as `/openapi.json`. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<Operation, 'requestBody'> }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Routed extends Operation {
  readonly route: string
}

/** The operations by tag, the events, and each schema on the first page that uses it. */
export function referencePages({ paths, webhooks, components: { schemas } }: ApiDocument): PartOfSite {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
    })),
  )
  const tags = [...new Set(operations.map(tagOf))].sort()
  const users = [
    ...tags.map((tag) => ({ file: fileOf(tag), uses: operations.filter((each) => tagOf(each) === tag) })),
    { file: EVENTS, uses: Object.values(webhooks) },
  ]
  const homes = homesOf(users, schemas)
  const linkFrom = (file: string) => (name: string) => {
    const home = homes.get(name)
    return `[${name}](${home === file ? '' : home}#${anchorOf(name)})`
  }
  const schemasOf = (file: string) => schemaSections(file, homes, schemas, linkFrom(file))
  const texts = [
    ...tags.map((tag) => {
      const file = fileOf(tag)
      const own = operations.filter((operation) => tagOf(operation) === tag)
      const sections = own.map((operation) => operationSection(operation, linkFrom(file)))
      return [file, page(`# Operations: ${tag}`, ...sections.flat(), ...schemasOf(file))] as const
    }),
    [EVENTS, page(...eventSections(webhooks, linkFrom(EVENTS)), ...schemasOf(EVENTS))] as const,
    [CONTENTS, contentsPage(tags, operations)] as const,
  ]
  return {
    text: 'Operations and events',
    pages: {
      'reference/README': 'All operations',
      ...Object.fromEntries(tags.map((tag) => [`reference/${tag}`, tag])),
      'reference/events': 'Events',
    },
    files: Object.fromEntries(texts.map(([file, text]) => [`reference/${file}`, text])),
    links: Object.fromEntries(
      operations.map((each) => [each.operationId, `reference/${fileOf(tagOf(each))}#${each.operationId}`]),
    ),
  }
}

const EVENTS = 'events.md'
const CONTENTS = 'README.md'
const tagOf = ({ tags: [tag = ''] }: Operation) => tag
const fileOf = (tag: string) => `${tag}.md`
/** Headings of schemas begin with a word of their own, because an operation may have the same name. */
const anchorOf = (schema: string) => `schema-${schema.toLowerCase()}`

/** The file that describes each schema: the one that uses it most, or that describes the schema it is part of. */
function homesOf(
  users: readonly { readonly file: string; readonly uses: unknown }[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlyMap<string, string> {
  const homes = new Map<string, string>()
  const most = new Map<string, number>()
  for (const { file, uses } of users) {
    for (const [name, count] of countsOf(refsIn(uses))) {
      if (count <= (most.get(name) ?? 0)) continue
      most.set(name, count)
      homes.set(name, file)
    }
  }
  const settleParts = (name: string, file: string) => {
    for (const part of refsIn(schemas[name])) {
      if (homes.has(part)) continue
      homes.set(part, file)
      settleParts(part, file)
    }
  }
  for (const [name, file] of [...homes]) settleParts(name, file)
  return homes
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

type Link = (schema: string) => string

function operationSection(operation: Routed, link: Link): string[] {
  const { operationId, route, summary, deprecated, parameters = [], requestBody, responses } = operation
  return [
    `## ${operationId}`,
    `\`${route}\``,
    `${cell(summary)}.${deprecated ? ' **Deprecated.**' : ''}`,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ['Parameter', 'In', 'Type'],
            parameters.map(({ name, in: place, required, schema }) => [
              `\`${name}\`${required ? '' : '?'}`,
              place,
              cell(typeInWords(schema ?? {}, link)),
            ]),
          ),
        ]),
    ...(requestBody ? [`Body: ${contentInWords(requestBody, link)}`] : []),
    Object.entries(responses)
      .map(([status, response]) => `- ${status}: ${contentInWords(response, link)}`)
      .join('\n'),
  ]
}

function contentInWords({ content = {}, description = '' }: Content, link: Link): string {
  const kinds = Object.entries(content).map(([type, { schema }]) => {
    const text = typeInWords(schema ?? {}, link)
    if (type === 'application/json') return text
    return nameOfRef(schema) ? `${text}, as \`${type}\`` : `\`${type}\``
  })
  return kinds.join(' or ') || description.toLowerCase()
}

function schemaSections(
  file: string,
  homes: ReadonlyMap<string, string>,
  schemas: Readonly<Record<string, Schema>>,
  link: Link,
): string[] {
  const own = [...homes].filter(([, home]) => home === file).map(([name]) => name)
  return own.sort().flatMap((name) => {
    const { description, properties, required = [], ...rest } = schemas[name] ?? {}
    return [
      `## Schema ${name}`,
      ...(description ? [description] : []),
      properties
        ? table(
            ['Field', 'Type', ''],
            Object.entries(properties).map(([field, value]) => [
              `\`${field}\`${required.includes(field) ? '' : '?'}`,
              cell(typeInWords(value, link)),
              cell(value.description ?? ''),
            ]),
          )
        : typeInWords(rest, link),
    ]
  })
}

/** The events by their family: the first part of the name. */
function eventSections(webhooks: ApiDocument['webhooks'], link: Link): string[] {
  const names = Object.keys(webhooks).sort()
  const families = [...new Set(names.map((name) => name.split('.')[0] ?? ''))]
  return [
    '# Events',
    [
      `The ${names.length} event types. The body of a webhook has \`event_type\`, \`data\`, and most have \`team_id\`, \`user_id\` and`,
      '`client_user_id`. How they are delivered and verified is under [Webhooks](../docs/webhooks.md).',
    ].join(' '),
    ...families.flatMap((family) => [
      `## ${family}`,
      table(
        ['Event', '`data`'],
        names
          .filter((name) => name.startsWith(`${family}.`))
          .map((name) => {
            const body = webhooks[name]?.post.requestBody?.content?.['application/json']?.schema
            return [`\`${name}\``, cell(typeInWords(body?.properties?.data ?? {}, link))]
          }),
      ),
    ]),
  ]
}

const contentsPage = (tags: readonly string[], operations: readonly Routed[]) =>
  page(
    '# All operations',
    [
      `Petri serves ${operations.length} operations. A running Petri describes them in \`/openapi.json\`, from which these pages are made.`,
      'What it assumes where no source says what the service does is under [Supported operations](../SUPPORTED.md#assumed).',
      'The types of the bodies of webhooks are under [Events](events.md).',
    ].join(' '),
    'A question mark marks what may be left out.',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      table(
        ['Operation', 'Route', ''],
        operations
          .filter((operation) => tagOf(operation) === tag)
          .map(({ operationId, route, summary }) => [
            `[${operationId}](${fileOf(tag)}#${operationId})`,
            `\`${route}\``,
            cell(summary),
          ]),
      ),
    ]),
  )
