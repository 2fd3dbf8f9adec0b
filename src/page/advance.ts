import { signal } from '@preact/signals'
import { isSuccess } from '../kernel/http-call.ts'
import { compact } from '../kernel/list.ts'
import { readableInstant } from '../kernel/readable.ts'
import { ask, CallError, get, type StreamData } from './api.ts'
import { countOf, numberOf } from './format.ts'
import type { Advanced, Clock } from './responses.ts'
import { advancing, attempt, clock, perform, say, setClock } from './store.ts'

/** The result of the last advance of this tab. */
export const lastAdvance = signal<Advanced | undefined>(undefined)

/** Advances the clock and sums up the effects. */
export async function advance(input: object, run = attempt): Promise<void> {
  if (advancing.value?.isOwn) return
  advancing.value = { effects: 0, isOwn: true }
  const done = await run('The advance', () => advanceInTurn(input))
  advancing.value = undefined
  if (!done) return
  lastAdvance.value = done
  const { effects, effects_dropped = 0 } = done
  say({
    title: `The clock ${done.stopped ? 'was stopped' : 'is'} at ${readableInstant(done.now)} UTC`,
    lines: compact([...sumsOf(effects), effects_dropped > 0 && `and ${numberOf(effects_dropped)} more`]),
    link: effects.length > 0 ? { to: 'effects', text: 'What happened' } : undefined,
  })
}

/** Waits while another client advances the clock, and says so. */
async function advanceInTurn(input: object): Promise<Advanced> {
  for (;;) {
    const { status, body } = await ask<Advanced>('POST', '/_petri/clock/advance', { body: input })
    if (status < 400) return body
    const read = await get<Clock>('/_petri/clock')
    if (status !== 409 || !read.advancing) throw new CallError(status, body)
    setClock(read)
    say({ title: 'Another client is moving the clock', lines: ['This advance starts when that one ends.'] })
    await whileAdvancing()
  }
}

/** Resolves when no client is advancing the clock. */
const whileAdvancing = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.subscribe((read) => {
      if (read?.advancing) return
      queueMicrotask(() => stop())
      resolve()
    })
  })

export const stopAdvance = (): Promise<unknown> =>
  perform('Stopping the advance', 'DELETE', '/_petri/clock/advance')

export const patchClock = (change: object): Promise<unknown> =>
  perform('Changing the clock', 'PATCH', '/_petri/clock', change)

/** The numbers of moves, events and deliveries. */
function sumsOf(effects: readonly StreamData[]): string[] {
  const count = (wanted: string) => effects.filter(({ kind }) => kind === wanted).length
  const failed = effects.filter(({ kind, status }) => kind === 'delivery' && !isSuccess(status)).length
  return [
    countOf(count('order'), 'order move'),
    countOf(count('event'), 'event'),
    `${countOf(count('delivery'), 'delivery', 'deliveries')}${failed > 0 ? `, ${failed} failed` : ''}`,
  ]
}
