import { signal } from '@preact/signals'
import { ask, CallError, call, get, type StreamData } from './api.ts'
import type { Clock } from './responses.ts'
import { advancing, attempt, clock, setClock } from './store.ts'
import { say } from './toast.ts'
import { countOf } from './words.ts'

interface Advanced {
  readonly now: string
  readonly effects: readonly StreamData[]
  readonly effects_dropped?: number
  readonly stopped?: true
}

/** What the last advance of this tab brought about. */
export const lastAdvance = signal<Advanced | undefined>(undefined)

/** Moves the clock, and says what came of it. */
export async function advance(input: object): Promise<void> {
  if (advancing.value?.isOwn) return
  advancing.value = { happenings: 0, isOwn: true }
  const done = await attempt('The advance', () => advanceInTurn(input))
  advancing.value = undefined
  if (!done) return
  lastAdvance.value = done
  say({
    title: `The clock ${done.stopped ? 'was stopped' : 'is'} at ${done.now.slice(0, 16).replace('T', ' ')} UTC`,
    lines: [
      ...sumsOf(done.effects),
      ...(done.effects_dropped ? [`and ${done.effects_dropped.toLocaleString('en')} more`] : []),
    ],
    ...(done.effects.length > 0 && { link: { to: 'happened', text: 'What happened' } }),
  })
}

/** Waits while another client moves the clock, and says so. */
async function advanceInTurn(input: object): Promise<Advanced> {
  for (;;) {
    const { status, body } = await ask<Advanced>('POST', '/_petri/clock/advance', { body: input })
    if (status < 400) return body
    const read = await get<Clock>('/_petri/clock')
    if (status !== 409 || !read.advancing) throw new CallError(status, body)
    setClock(read)
    say({
      title: 'Another client is moving the clock',
      lines: ['This advance begins when that one has ended.'],
    })
    await whileAdvancing()
  }
}

/** Resolves when no advance of any client is under way any more. */
const whileAdvancing = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.subscribe((read) => {
      if (read?.advancing) return
      queueMicrotask(() => stop())
      resolve()
    })
  })

export const stopAdvance = (): Promise<unknown> =>
  attempt('Stopping the advance', () => call('DELETE', '/_petri/clock/advance'))

/** How many moves, events and deliveries there were. */
export function sumsOf(effects: readonly StreamData[]): string[] {
  const of = (wanted: string) => effects.filter(({ kind }) => kind === wanted)
  const failed = of('delivery').filter(({ status }) => !isSuccess(status)).length
  return [
    countOf(of('order').length, 'order move'),
    countOf(of('event').length, 'event'),
    `${countOf(of('delivery').length, 'delivery', 'deliveries')}${failed > 0 ? `, ${failed} failed` : ''}`,
  ]
}

const isSuccess = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300
