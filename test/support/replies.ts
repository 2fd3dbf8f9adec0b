import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { AnyOperation } from '../../src/api/operation.ts'
import { inMatchingOrder, matchesPath } from '../../src/http/routes.ts'
import { checkTyped } from './typed-client.ts'

const ordered = new WeakMap<readonly AnyOperation[], readonly AnyOperation[]>()

/** The operations as `inMatchingOrder` has them, which every Petri does once. */
function orderedOnce(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  const known = ordered.get(operations) ?? inMatchingOrder(operations)
  ordered.set(operations, known)
  return known
}

/** Fails when a reply is not what its operation declares: a field too few, a wrong type, or a field too many. */
export function checkReply(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
  status: number,
  body: unknown,
): void {
  const bare = path.replace(/\?.*/, '')
  const operation = orderedOnce(operations).find(
    ({ route }) => route.startsWith(`${method} `) && matchesPath(route, bare),
  )
  if (!operation) return
  const declared = status === (operation.status ?? 200) ? operation.returns : operation.alsoReturns?.[status]
  if (status < 300 && !declared && status !== 501) expect(body, `${operation.id} declares no body`).toBeNull()
  if (!declared) return
  const parsed = declared().safeParse(body)
  if (!parsed.success)
    throw new Error(`${operation.id} answered ${status} against its own schema: ${parsed.error.message}`)
  // Node's comparison takes a tenth of the time of Vitest's, which tells the difference.
  if (!isDeepStrictEqual(body, parsed.data))
    expect(body, `${operation.id} answered fields its schema lacks`).toEqual(parsed.data)
  if (!path.startsWith('/_petri/')) checkTyped(declared, body, `${operation.id}, read by a typed client`)
}
