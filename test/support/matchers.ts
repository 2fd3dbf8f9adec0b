import { expect } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a declaration has to have the type parameters of the one it extends.
  interface Matchers<T = any> {
    /** A reply has this status, and a body with these fields. The message shows the whole reply, which says why. */
    toAnswer(status: number, body?: object | null): T
  }
}

expect.extend({
  toAnswer(reply: { status: number; body?: unknown }, status: number, body?: object | null) {
    const { iterableEquality, subsetEquality } = this.utils
    const isLike = body === undefined || this.equals(reply.body, body, [iterableEquality, subsetEquality])
    return {
      pass: reply.status === status && isLike,
      message: () => `it answered ${JSON.stringify(reply)}`,
      actual: { status: reply.status, body: body === undefined ? undefined : reply.body },
      expected: { status, body },
    }
  },
})
