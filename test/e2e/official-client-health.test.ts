import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { SECOND_MS } from '../../src/kernel/instant.ts'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { methodsOf, type OfficialClient, officialClient } from '../support/official-client.ts'
import { openNetwork } from '../support/open-network.ts'

// Every method of the official client's groups of health data, against the built Petri over a real socket.

let petri: Started
let client: OfficialClient['client']
let userId: string

beforeAll(async () => {
  vi.unstubAllGlobals()
  petri = await startPetri(['--frozen', '--now', '2026-01-05T09:00:00Z'])
  const official = officialClient(petri)
  const { call } = official
  client = official.client
  userId = (await client.user.create({ clientUserId: 'ada', fallbackTimeZone: 'America/New_York' })).userId
  // Who injects insulin.
  await call('PUT', `/_petri/users/${userId}/persona`, { persona: 'type-1-diabetes' })
  for (const provider of ['apple_health_kit', 'fitbit', 'oura', 'freestyle_libre'] as const)
    await client.link.connectDemoProvider({ userId, provider })
  await official.advance('1d')
  // What only laboratories, cuffs, rare days and other people's habits bring.
  for (const [resource, sample] of Object.entries(putIn)) {
    const samples = [{ timestamp: '2026-01-04T12:00:00Z', value: 1, ...sample }]
    await call('POST', `/_petri/users/${userId}/data`, { resource, provider: 'manual', samples })
  }
})
openNetwork()
afterAll(() => stop(petri.child))

const putIn: Record<string, object> = {
  cholesterol: { type: 'cholesterol/ldl' },
  ige: { type: 'birch' },
  igg: { type: 'dairy' },
  heart_rate_alert: { type: 'high_heart_rate' },
  sleep_apnea_alert: {},
  fall: {},
  wheelchair_push: {},
  stress_level: {},
  carbohydrates: {},
  workout_duration: { intensity: 'low' },
  waist_circumference: {},
  basal_body_temperature: {},
  inhaler_usage: {},
  peak_expiratory_flow_rate: {},
  forced_vital_capacity: {},
  forced_expiratory_volume_1: {},
  mindfulness_minutes: {},
  blood_pressure: { systolic: 120, diastolic: 80, value: undefined },
}

type Call = (id: string, request: object) => Promise<unknown>
const groups = [
  ...(['vitals', 'activity', 'sleep', 'body', 'workouts', 'meal'] as const),
  ...(['menstrualCycle', 'sleepCycle', 'electrocardiogram', 'profile', 'devices'] as const),
]

/** The client takes time by the square of a list's length; what is dense is asked for by the hour. */
const vitalWindows = [
  { startDate: '2026-01-05T02:00:00Z', endDate: '2026-01-05T04:00:00Z' },
  { startDate: '2026-01-04', endDate: '2026-01-04' },
  { startDate: '2025-12-31' },
]

const isEmpty = (answer: unknown) => !/\d/.test(JSON.stringify(answer))

// More than 300 calls through the official client.
it('reads every series, summary and stream, and accepts every answer', {
  timeout: 60_000,
  tags: 'slow',
}, async () => {
  const { sleep } = await client.sleep.get(userId, { startDate: '2026-01-01' })
  const { workouts } = await client.workouts.get(userId, { startDate: '2025-12-10' })
  const ids: Record<string, string | undefined> = {
    getByWorkoutId: workouts[0]?.id,
    getStreamBySleepId: sleep[0]?.id,
  }
  const { electrocardiogram } = await client.electrocardiogram.get(userId, { startDate: '2025-12-10' })
  const recordedAt = electrocardiogram[0]?.sessionStart ?? new Date(0)
  const recording = {
    startDate: recordedAt.toISOString(),
    endDate: new Date(recordedAt.getTime() + SECOND_MS).toISOString(),
  }
  const windowsOf = (group: string, method: string) => {
    if (method.startsWith('electrocardiogramVoltage')) return [recording]
    return group === 'vitals' ? vitalWindows : [{ startDate: '2025-12-10' }]
  }
  const called: string[] = []
  const empty: string[] = []
  for (const name of groups.flatMap(methodsOf)) {
    const [group = '', method = ''] = name.split('.')
    const calls = client[group as 'vitals'] as unknown as Record<string, Call>
    let answer: unknown
    for (const window of windowsOf(group, method))
      if (isEmpty(answer ?? null)) answer = await calls[method]?.(ids[method] ?? userId, window)
    called.push(name)
    if (isEmpty(answer)) empty.push(name)
  }
  console.log(
    `The official client called ${called.length} methods of ${groups.length} groups of health data.`,
  )
  expect(called).toHaveLength(95)
  expect(
    empty.filter(
      (name) => !/menstrualCycle|afibBurden|SwimmingStroke|cholesterol(Hdl|Total|Triglycerides)/.test(name),
    ),
  ).toEqual([])
})
