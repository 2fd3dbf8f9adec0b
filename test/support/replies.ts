import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type AnyOperation, successStatus } from '../../src/api/operation.ts'
import { inMatchingOrder, matchesPath } from '../../src/http/routes.ts'
import { isExpected, problemsInReply } from './published-models.ts'
import { checkTyped } from './typed-client.ts'

const grouped = new WeakMap<readonly AnyOperation[], Map<string, AnyOperation[]>>()

const groupOf = (method: string, path: string) => `${method} ${path.split('/').length}`

/** The operation that answers a call. They are grouped by method and number of path segments, once for every Petri. */
function operationOf(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
): AnyOperation | undefined {
  const groups = grouped.get(operations) ?? new Map<string, AnyOperation[]>()
  if (groups.size === 0) {
    grouped.set(operations, groups)
    for (const operation of operations) {
      const [verb = '', of = ''] = operation.route.split(' ')
      const group = groupOf(verb, of)
      const others = groups.get(group)
      if (others) others.push(operation)
      else groups.set(group, [operation])
    }
  }
  const matching = groups.get(groupOf(method, path))?.filter(({ route }) => matchesPath(route, path)) ?? []
  return inMatchingOrder(matching)[0]
}

/** Fails when a reply is not what its operation declares: a field too few, a wrong type, or a field too many. */
export function checkReply(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
  status: number,
  body: unknown,
): void {
  const operation = operationOf(operations, method, path.replace(/\?.*/, ''))
  if (!operation) return
  const declared = status === successStatus(operation) ? operation.returns : operation.alsoReturns?.[status]
  if (status < 300 && !declared) expect(body, `${operation.id} declares no body`).toBeNull()
  if (!declared) return
  const parsed = declared().safeParse(body)
  if (!parsed.success)
    throw new Error(`${operation.id} answered ${status} against its own schema: ${parsed.error.message}`)
  // Node's comparison takes a tenth of the time of Vitest's, which tells the difference.
  if (!isDeepStrictEqual(body, parsed.data))
    expect(body, `${operation.id} answered fields its schema lacks`).toEqual(parsed.data)
  if (path.startsWith('/_petri/')) return
  checkTyped(declared, body, `${operation.id}, read by a typed client`)
  if (status === successStatus(operation)) {
    const unpublished = problemsInReply(operation.id, body).filter((each) => !isExpected(each))
    expect(unpublished, `${operation.id}, read by a client with closed enums`).toEqual([])
  }
}
