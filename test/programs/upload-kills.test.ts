import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { rounds } from '../support/rounds.ts'

openNetwork()

const SAMPLES = 5000
const START = Date.UTC(2026, 0, 1)
/** Longer than an upload takes. */
const MAX_PAUSE_MS = 500

const instant = (at: number) => new Date(START + at * 1000).toISOString()

/** Two ways to send the same samples to a user. */
const ways = {
  'an upload of a phone': (userId: string) => ({
    path: `/v2/timeseries/${userId}/heartrate`,
    body: {
      stage: 'daily',
      time_zone: 'UTC',
      provider: 'apple_health_kit',
      data: Array.from({ length: SAMPLES }, (_, at) => ({
        value: 60,
        start_date: instant(at),
        end_date: instant(at),
        unit: 'bpm',
      })),
    },
  }),
  'data of the control API': (userId: string) => ({
    path: `/_petri/users/${userId}/data`,
    body: {
      resource: 'heartrate',
      provider: 'apple_health_kit',
      source_type: 'unknown',
      samples: Array.from({ length: SAMPLES }, (_, at) => ({ value: 60, timestamp: instant(at) })),
    },
  }),
}

// A process is started and killed in each round.
it.each(Object.entries(ways))(
  '%s, killed at any time, has stored what it announced',
  {
    timeout: rounds(60_000),
  },
  async (name, request) => {
    const random = createRandom(`kills in ${name}`)
    for (let round = 0; round < rounds(1); round++) {
      const folder = ['--data', makeFolder('petri-upload-'), '--frozen', '--now', '2026-01-05']
      const first = await startPetri(folder)
      const { user_id: userId } = await call(first.ready, 'POST', '/v2/user', { client_user_id: `${round}` })
      await call(first.ready, 'POST', `/v2/user/${userId}/sdk_sync_state/apple_health_kit`, { tzinfo: 'UTC' })
      const { path, body } = request(userId)
      const sending = call(first.ready, 'POST', path, body).catch(() => undefined)
      await pause(random.integer(`round/${round}`, 0, MAX_PAUSE_MS))
      await stop(first.child, 'SIGKILL')
      await sending

      const second = await startPetri(folder)
      const left = await samplesOf(second.ready, userId)
      expect([...left.announced.keys()].sort()).toEqual([...left.stored].sort())
      expect([...left.announced.values()].every((times) => times === 1)).toBe(true)
      if (name === 'an upload of a phone') {
        await call(second.ready, 'POST', path, body)
        const { stored, announced } = await samplesOf(second.ready, userId)
        expect(stored.size).toBe(SAMPLES)
        expect(announced.size).toBe(SAMPLES)
        expect([...announced.values()].every((times) => times === 1)).toBe(true)
      }
      await stop(second.child)
    }
  },
)

interface Ready {
  readonly url: string
  readonly api_key: string
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape.
async function call({ url, api_key }: Ready, method: string, path: string, body?: object): Promise<any> {
  const headers = { 'x-service-api-key': api_key, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response).toAnswer(200)
  return response.json()
}

/** The instants of a user's stored samples, and how often each was announced. */
async function samplesOf(ready: Ready, userId: string) {
  const { tables } = await call(ready, 'GET', '/_petri/state')
  const ofUser = <Row extends object>(rows: Record<string, Row> = {}) =>
    Object.values(rows).filter((row) => JSON.stringify(row).includes(userId))
  const stored = new Set(
    ofUser<{ sample: { start: number } }>(tables.stored_samples).map(({ sample }) => sample.start),
  )
  const announced = new Map<number, number>()
  for (const { payload } of ofUser<{ payload: { data: { data?: { timestamp: string }[] } } }>(
    tables.events,
  )) {
    for (const { timestamp } of payload.data.data ?? []) {
      const at = Date.parse(timestamp)
      announced.set(at, (announced.get(at) ?? 0) + 1)
    }
  }
  return { stored, announced }
}
