import type { AnyOperation } from '../api/operation.ts'

/** `/v2/user/{user_id}` as Hono writes it: `/v2/user/:user_id`. */
export const toHonoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Fixed paths before those with parameters, or `/v3/lab_tests/{lab_test_id}` would swallow `/v3/lab_tests/markers`. */
export function inMatchingOrder(operations: readonly AnyOperation[]): AnyOperation[] {
  const key = ({ route }: AnyOperation) => route.slice(route.indexOf(' ') + 1).replace(/\{\w+\}/g, '~')
  return operations
    .map((operation) => ({ operation, key: key(operation) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ operation }) => operation)
}

/** Whether a path matches a route of any method. A parameter is never empty. */
export function matchesPath(route: string, path: string): boolean {
  const pattern = route.slice(route.indexOf(' ') + 1).split('/')
  const parts = path.split('/')
  return (
    pattern.length === parts.length &&
    pattern.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  )
}
