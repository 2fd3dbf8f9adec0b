import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { type AnyOperation, successStatus } from '../../src/api/operation.ts'
import { inMatchingOrder, matchesSegments } from '../../src/http/routes.ts'
import { isExpected, problemsInReply } from './published-models.ts'
import { checkTyped } from './typed-client.ts'

const segments = new Map<string, readonly string[]>()

/** The segments of a route, the method in the first; split once for every Petri. */
function segmentsOf(route: string): readonly string[] {
  const known = segments.get(route) ?? route.split('/')
  segments.set(route, known)
  return known
}

/** The operation that answers a call. */
function operationOf(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
): AnyOperation | undefined {
  const called = `${method} ${path}`.split('/')
  const matching = operations.filter(({ route }) => matchesSegments(segmentsOf(route), called))
  return matching.length > 1 ? inMatchingOrder(matching)[0] : matching[0]
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
