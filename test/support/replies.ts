import { expect } from 'vitest'
import type { AnyOperation } from '../../src/api/operation.ts'
import { inMatchingOrder, matchesPath } from '../../src/http/routes.ts'
import { checkTyped } from './typed-client.ts'

/** Fails when a reply is not what its operation declares: a field too few, a wrong type, or a field too many. */
export function checkReply(
  operations: readonly AnyOperation[],
  method: string,
  path: string,
  status: number,
  body: unknown,
): void {
  const bare = path.replace(/\?.*/, '')
  const operation = inMatchingOrder(operations).find(
    ({ route }) => route.startsWith(`${method} `) && matchesPath(route, bare),
  )
  if (!operation) return
  const declared = status === (operation.status ?? 200) ? operation.returns : operation.alsoReturns?.[status]
  if (status < 300 && !declared && status !== 501) expect(body, `${operation.id} declares no body`).toBeNull()
  if (!declared) return
  const parsed = declared().safeParse(body)
  if (!parsed.success)
    throw new Error(`${operation.id} answered ${status} against its own schema: ${parsed.error.message}`)
  expect(body, `${operation.id} answered fields its schema lacks`).toEqual(parsed.data)
  if (!path.startsWith('/_petri/')) checkTyped(declared, body, `${operation.id}, read by a typed client`)
}
