import { tooLongList } from '../api/issue.ts'
import type { Reply } from '../api/reply.ts'
import type { JsonLimitError } from '../kernel/json-scanner.ts'
import { Problem, type ProblemKind } from '../kernel/problem.ts'
import { storageProblem } from '../storage/disk-full.ts'
import { isOutOfHandles } from '../storage/file-handles.ts'

const statuses: Record<ProblemKind, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  timed_out: 408,
  conflict: 409,
  too_large: 413,
  invalid: 422,
  too_many: 429,
  server_error: 500,
  unavailable: 503,
  insufficient_storage: 507,
}

const MEGABYTE = 1024 * 1024

export const tooLarge = (most: number): Problem =>
  new Problem('too_large', `The body is larger than ${most / MEGABYTE} MiB.`)

/** The error for JSON that exceeds a limit at an offset. */
export function exceededJson({ limit, max, message }: JsonLimitError, at: number): Problem {
  switch (limit) {
    case 'values':
      return new Problem('too_large', `The body has more than ${max} values.`)
    case 'fields': {
      const issue = tooLongList(max, undefined, 'Dictionary')
      return new Problem('invalid', [{ ...issue, loc: ['body', at], input: null }])
    }
    case 'length':
      return new Problem('invalid', [{ ...invalidJsonIssue(at, message), msg: message }])
    case 'depth':
      return new Problem('invalid', [invalidJsonIssue(at, 'recursion limit exceeded')])
  }
}

export const invalidJsonIssue = (at: number, error = 'Expecting value') => ({
  type: 'json_invalid',
  loc: ['body', at],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
})

/** Converts every error to a response. Anything but a `Problem` is a bug, and is passed to `report`. */
export function replyToError(error: unknown, report: (error: unknown) => void): Reply {
  if (error instanceof Problem) {
    const { kind, detail, extras } = error
    const { headers = {}, also = {}, bare } = extras
    if (kind === 'server_error')
      return { status: statuses[kind], body: String(detail), contentType: 'text/plain', headers }
    const body = bare ?? { detail, ...also }
    return { status: statuses[kind], body: JSON.stringify(body), headers }
  }
  if (isOutOfHandles(error)) return replyToError(storageProblem(error), report)
  report(error)
  return { status: 500, body: '{"detail":"Internal Server Error"}', headers: {} }
}
