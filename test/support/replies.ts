import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type AnyOperation, successStatus } from '../../src/api/operation.ts'
import { inMatchingOrder, matchesSegments } from '../../src/http/routes.ts'
import { perOwner } from '../../src/kernel/kept.ts'
import { groupBy } from '../../src/kernel/list.ts'
import { isExpected, problemsInReply } from './published-models.ts'
import { checkTyped } from './typed-client.ts'

/** The segments of each route, the method in the first, by their number. */
const routesByLength = perOwner((operations: readonly AnyOperation[]) =>
  groupBy(
    operations.map((operation) => ({ operation, segments: operation.route.split('/') })),
    ({ segments }) => segments.length,
  ),
)

/** The operation that answers a call. */
function operationOf(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
): AnyOperation | undefined {
  const called = `${method} ${path}`.split('/')
  const routes = routesByLength(operations).get(called.length) ?? []
  const matching = routes.filter(({ segments }) => matchesSegments(segments, called))
  return inMatchingOrder(matching.map(({ operation }) => operation))[0]
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
    if (unpublished.length > 0)
      expect(unpublished, `${operation.id}, read by a client with closed enums`).toEqual([])
  }
}
