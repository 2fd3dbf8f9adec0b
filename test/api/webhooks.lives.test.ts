/** @module-tag slow */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeSnapshot } from '../../src/control/snapshots.ts'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { jobs } from '../../src/scheduler/job.ts'
import { addEndpoint, changeEndpoint, listEndpoints, removeEndpoint } from '../../src/webhooks/endpoints.ts'
import { clearWebhookFaults, setWebhookFaults } from '../../src/webhooks/faults.ts'
import { resend, resendMessage } from '../../src/webhooks/messages.ts'
import { messages } from '../../src/webhooks/table.ts'
import type { World } from '../../src/world/world.ts'
import { keepingFolder } from '../support/keeping-folder.ts'
import type { TestPetri } from '../support/petri.ts'
import { type Respond, startHeardPetri } from '../support/receiver.ts'
import { rounds } from '../support/rounds.ts'

// Whatever happens to the receivers, the endpoints and Petri itself, each message comes to an end.

const URLS = ['http://one.test/', 'http://two.test/', 'http://three.test/']

/** What can happen, and how often it does; `nth` names one of what there is. */
const happenings = [
  { weight: 6, does: 'emit', nth: fc.integer({ min: 1, max: 4 }) },
  { weight: 3, does: 'take', nth: fc.integer({ min: 1, max: 4 }) },
  { weight: 2, does: 'refuse', nth: fc.integer({ min: 1, max: 3 }) },
  { weight: 2, does: 'turn', nth: fc.constant(0) },
  { weight: 2, does: 'advance', nth: fc.integer({ min: 1, max: DAY_MS }) },
  { weight: 1, does: 'resend', nth: fc.nat(30) },
  { weight: 1, does: 'resend all', nth: fc.constant(0) },
  { weight: 1, does: 'switch', nth: fc.nat(2) },
  { weight: 1, does: 'remove', nth: fc.nat(5) },
  { weight: 1, does: 'hold', nth: fc.integer({ min: 2, max: 3 }) },
  { weight: 1, does: 'delay', nth: fc.nat(5000) },
  { weight: 1, does: 'duplicate', nth: fc.integer({ min: 1, max: 2 }) },
  { weight: 1, does: 'clear', nth: fc.constant(0) },
  { weight: 1, does: 'restart', nth: fc.constant(0) },
  { weight: 1, does: 'keep', nth: fc.constant(0) },
  { weight: 1, does: 'restore', nth: fc.constant(0) },
  { weight: 1, does: 'thaw', nth: fc.constant(0) },
  { weight: 1, does: 'freeze', nth: fc.constant(0) },
] as const

type Step = readonly [does: (typeof happenings)[number]['does'], nth: number]

const stepsOf = (taken: readonly (typeof happenings)[number][]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      ...taken.map(({ weight, does, nth }) => ({
        weight,
        arbitrary: nth.map((chosen): Step => [does, chosen]),
      })),
    ),
    { minLength: 1, maxLength: 25 },
  )

/** A world whose receivers answer when they are told to. */
class Life {
  readonly #folder = keepingFolder()
  readonly #waiting: ((status: number) => void)[] = []
  readonly delivered: string[] = []
  #petri: TestPetri | undefined
  /** Nobody waits any longer: what comes now is taken. */
  #isOver = false

  get world(): World {
    return (this.#petri as TestPetri).world()
  }

  async start(): Promise<void> {
    this.#waiting.length = 0
    const respond: Respond = async ({ url, headers }) => {
      const status = this.#isOver ? 200 : await new Promise<number>((resolve) => this.#waiting.push(resolve))
      if (status === 200) this.delivered.push(`${url} ${headers['svix-id']}`)
      return status
    }
    const options = { folder: this.#folder, world: { webhookUrl: null } }
    this.#petri = (await startHeardPetri(respond, options)).petri
  }

  async does([does, nth]: Step): Promise<void> {
    const acts: Record<Step[0], () => unknown> = {
      emit: () => this.#emit(nth),
      take: () => this.#answer(nth, 200),
      refuse: () => this.#answer(nth, 500),
      turn: turns,
      advance: () => this.#advance(nth),
      resend: () => this.#resend(nth),
      'resend all': () => resend(this.world, {}),
      switch: () => this.#switch(nth),
      remove: () => this.#remove(nth),
      hold: () => setWebhookFaults(this.world, undefined, { burst: nth }),
      delay: () => setWebhookFaults(this.world, undefined, { delay_ms: nth }),
      duplicate: () => setWebhookFaults(this.world, undefined, { duplicate: nth }),
      clear: () => clearWebhookFaults(this.world, undefined),
      restart: () => this.#restart(),
      // Not by a call, which would wait for the receivers.
      keep: () => takeSnapshot((this.#petri as TestPetri).petri.worlds, this.world, 'kept'),
      restore: () => this.#call('POST', '/_petri/snapshots/kept/restore'),
      thaw: () => this.#call('PATCH', '/_petri/clock', { frozen: false }),
      freeze: () => this.#call('PATCH', '/_petri/clock', { frozen: true }),
    }
    await acts[does]()
  }

  /** All receivers take what comes, until nothing is left to be sent. */
  async end(): Promise<void> {
    this.#isOver = true
    await turns()
    for (const answer of this.#waiting.splice(0)) answer(200)
    await this.world.agenda.settled()
    await this.world.agenda.advanceUntilIdle(this.world.clock.now() + 30 * DAY_MS)
    await this.world.agenda.settled()
  }

  #emit(times: number): void {
    for (let time = 0; time < times; time++)
      this.world.emit('labtest.order.updated', { userId: null, clientUserId: null }, { time })
  }

  async #answer(times: number, status: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await turns()
      this.#waiting.shift()?.(status)
    }
    await turns()
  }

  /** While the clock is moved, receivers answer at once. */
  async #advance(ms: number): Promise<void> {
    const wasOver = this.#isOver
    this.#isOver = true
    for (const answer of this.#waiting.splice(0)) answer(200)
    await this.world.agenda.advanceTo(this.world.clock.now() + ms)
    this.#isOver = wasOver
  }

  #resend(nth: number): void {
    const all = [...this.world.db.all(messages)]
    const message = all[nth % Math.max(all.length, 1)]
    const endpoint = listEndpoints(this.world).find(({ id }) => id === message?.endpoint_id)
    if (message && endpoint?.disabled === false) resendMessage(this.world, message.id)
  }

  async #switch(nth: number): Promise<void> {
    const endpoint = listEndpoints(this.world)[nth]
    if (endpoint) await changeEndpoint(this.world, endpoint.id, { disabled: !endpoint.disabled })
  }

  /** Not those from 3 on, so that some are left most of the time. */
  async #remove(nth: number): Promise<void> {
    const endpoint = nth < 2 ? listEndpoints(this.world)[nth] : undefined
    if (endpoint) await removeEndpoint(this.world, endpoint.id)
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    await this.#petri?.call(method, path, body)
  }

  async #restart(): Promise<void> {
    await this.#petri?.close()
    await this.start()
  }
}

/** What is due now has run, as far as it does without an answer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function live(done: readonly Step[]): Promise<Life> {
  const life = new Life()
  await life.start()
  for (const url of URLS) addEndpoint(life.world, { url })
  for (const step of done) await life.does(step)
  await life.end()
  return life
}

it('every message is delivered or given up, and no job is left', async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf(happenings), async (done) => {
      const { world, delivered } = await live(done)
      const urls = new Map(listEndpoints(world).map(({ id, url }) => [id, url]))
      const all = [...world.db.all(messages)]
      expect(all.filter(({ status }) => status === 'pending')).toEqual([])
      for (const { status, endpoint_id, event_id } of all)
        if (status === 'delivered' && urls.has(endpoint_id))
          expect(delivered).toContain(`${urls.get(endpoint_id)} ${event_id}`)
      expect(world.db.count(jobs)).toBe(0)
      expect(world.agenda.pending).toBe(0)
    }),
    { numRuns: rounds(60), examples: [[askedForByHand], [askedForWhileHeld]] },
  )
})

/** The attempt by hand fails, and that of the schedule is still to come. */
const askedForByHand: Step[] = [
  ['emit', 1],
  ['resend', 0],
  ['restart', 0],
  ['refuse', 1],
  ['emit', 1],
]
const askedForWhileHeld: Step[] = [
  ['hold', 2],
  ['emit', 1],
  ['resend', 0],
  ['refuse', 1],
  ['emit', 1],
]

it('where nothing goes wrong, each endpoint has each event once, in their order', async () => {
  const plain = happenings.filter(({ does }) => ['emit', 'take', 'turn', 'advance'].includes(does))
  await fc.assert(
    fc.asyncProperty(stepsOf(plain), async (done) => {
      const { world, delivered } = await live(done)
      const events = [...new Set([...world.db.all(messages)].map(({ event_id }) => event_id))]
      for (const url of URLS)
        expect(delivered.filter((one) => one.startsWith(url))).toEqual(events.map((id) => `${url} ${id}`))
    }),
    { numRuns: rounds(40) },
  )
})
