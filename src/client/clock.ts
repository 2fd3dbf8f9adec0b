import type { Caller } from './caller.ts'
import type { ClockKit } from './kit.ts'
import type { Advanced, Clock } from './responses.ts'

const PATH = '/_petri/clock'

export function clockKit(call: Caller['call']): ClockKit {
  const patch = (change: object) => call<Clock>('PATCH', PATH, change)
  const advance = (input: object) => call<Advanced>('POST', `${PATH}/advance`, input)
  return {
    get: () => call<Clock>('GET', PATH),
    now: async () => new Date((await call<Clock>('GET', PATH)).now),
    advance: (by) => advance(typeof by === 'string' ? { by } : by),
    settle: () => advance({ by: '0s' }),
    freeze: () => patch({ frozen: true }),
    run: () => patch({ frozen: false }),
    setPace: (pace) => patch({ pace }),
  }
}
