import { expect, type MatcherState } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a declaration has to have the type parameters of the one it extends.
  interface Matchers<T = any> {
    /** A reply has this status, and a body with these fields. The message shows the whole reply, which says why. */
    toAnswer(status: number, body?: object | null): T
    /** A reply refuses a call with this status and this detail. */
    toRefuse(status: number, detail: unknown): T
  }
}

interface Reply {
  readonly status: number
  readonly body?: unknown
}

function toAnswer(this: MatcherState, reply: Reply, status: number, body?: object | null) {
  const { iterableEquality, subsetEquality } = this.utils
  const isLike = body === undefined || this.equals(reply.body, body, [iterableEquality, subsetEquality])
  return {
    pass: reply.status === status && isLike,
    message: () => `it answered ${JSON.stringify(reply)}`,
    actual: { status: reply.status, body: body === undefined ? undefined : reply.body },
    expected: { status, body },
  }
}

expect.extend({
  toAnswer,
  toRefuse(reply: Reply, status: number, detail: unknown) {
    return toAnswer.call(this, reply, status, { detail })
  },
})
