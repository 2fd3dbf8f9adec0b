import { describe, expect, it } from 'vitest'
import { boundedMessage } from '../../src/kernel/bounded-message.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { orderKit } from '../support/orders.ts'
import { forAllTests } from '../support/petri.ts'

const petri = forAllTests()

const WORD = 'x'.repeat(100_000)
const SENTENCE = 'no such name '.repeat(8000)

describe('the message about an unknown name of 100 kB', () => {
  it.each([
    ['the default scenario', 'PATCH', '/_petri/world', (name: string) => ({ scenario: name })],
    ['an event type', 'POST', '/_petri/trigger', (name: string) => ({ event_type: name })],
    ['an operation', 'PUT', '/_petri/faults', (name: string) => ({ faults: [{ operation: name }] })],
    ['a feature', 'PATCH', '/_petri/world', (name: string) => ({ features: { [name]: true } })],
    ['a duration', 'POST', '/_petri/clock/advance', (name: string) => ({ by: name })],
  ])('repeats its ends only: %s', async (_, method, path, body) => {
    for (const name of [WORD, SENTENCE]) {
      const reply = await petri.call(method, path, body(name))
      expect(reply.status).toBeGreaterThanOrEqual(400)
      const { detail } = reply.body
      const messages: string[] = typeof detail === 'string' ? [detail] : detail.map(field('msg'))
      for (const message of messages) expect(message.length).toBeLessThan(10_000)
    }
  })

  it('repeats its ends only: the scenario and the status of an order', async () => {
    const { id } = await orderKit(petri)
    for (const [method, path, body] of [
      ['PUT', 'scenario', { scenario: WORD }],
      ['POST', 'move', { status: WORD }],
    ] as const) {
      const reply = await petri.call(method, `/_petri/orders/${id}/${path}`, body)
      expect(JSON.stringify(reply.body.detail[0]?.msg ?? reply.body.detail).length).toBeLessThan(1000)
    }
  })

  it.each([
    ['a command', [WORD]],
    ['an option', ['order', 'list', `--${WORD}`]],
    ['a flag of the start', ['start', `--${WORD}`]],
    ['a scenario', ['scenario', 'try', WORD]],
  ])('is short in the terminal: %s', async (_, args) => {
    const { status, stderr } = await runPetri(args)
    expect(status).toBeGreaterThan(0)
    expect(stderr.length).toBeLessThan(10_000)
    expect(stderr).toContain('xxx\u2026xxx')
  })
})

describe('a message', () => {
  it('is as it was written if its words and itself have the length of messages', () => {
    const message = `There is no scenario "${'x'.repeat(270)}". ${'Choose another. '.repeat(450)}`
    expect(boundedMessage(message)).toBe(message)
  })

  it('keeps what follows a long word', () => {
    expect(boundedMessage(`There is no "${WORD}". Did you mean "happy-path"?`)).toMatch(
      /^There is no "x+\u2026x+"\. Did you mean "happy-path"\?$/,
    )
  })
})
