import { VitalClient } from '@tryvital/vital-node'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { MANAGEMENT_KEY, ORG } from '../support/management.ts'

// Every method of the official client that asks questions about data, against the built Petri.

const methods = Object.getOwnPropertyNames(
  Object.getPrototypeOf(new VitalClient({ apiKey: 'x' }).aggregate),
).filter((name) => name !== 'constructor' && !name.startsWith('_'))
const called = new Set<string>()

let petri: Started
let aggregate: VitalClient['aggregate']
let userId: string

const keys = () => ({ 'x-vital-api-key': petri.ready.api_key, 'x-management-key': MANAGEMENT_KEY })

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', ...keys() }
  const response = await fetch(petri.ready.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(response).toAnswer(200)
}

const perDay = { dateTrunc: { value: 1, unit: 'day' }, arg: { index: 'activity' } } as const
const steps = { func: 'sum', arg: { activity: 'steps' } } as const
const timeframe = { type: 'relative', anchor: '2026-01-05', past: { value: 1, unit: 'week' } } as const

beforeAll(async () => {
  vi.unstubAllGlobals()
  petri = await startPetri(['--frozen', '--now', '2026-01-05T18:00:00Z'])
  const client = new VitalClient({ apiKey: petri.ready.api_key, environment: petri.ready.url })
  aggregate = new Proxy(client.aggregate, {
    get(target, name) {
      if (methods.includes(String(name))) called.add(String(name))
      return Reflect.get(target, name)
    },
  })
  userId = (await client.user.create({ clientUserId: 'asked' })).userId
  await client.link.connectDemoProvider({ userId, provider: 'fitbit' })
  const response = await fetch(`${petri.ready.url}/_petri/world`, { headers: keys() })
  const world = (await response.json()) as { team_id: string }
  await post(`${ORG}/team/${world.team_id}/sandbox/continuous_query`, {
    slug: 'daily-steps',
    title: 'Steps a day',
    query: {
      select: [{ group_key: '*' }, steps],
      group_by: [{ date_trunc: { unit: 'day' }, arg: { index: 'activity' } }],
    },
  })
  await post('/_petri/clock/advance', { by: '4h' })
})
beforeEach(() => vi.unstubAllGlobals())
afterAll(() => stop(petri.child))

it('asks for columns by each kind of expression that Petri answers', { tags: 'slow' }, async () => {
  const { results } = await aggregate.queryOne(userId, {
    timeframe,
    queries: [
      { select: [{ groupKey: '*' }, steps], groupBy: [perDay] },
      {
        select: [{ groupKey: 0 }, { func: 'mean', arg: { timeseries: 'heartrate', field: 'value' } }],
        groupBy: [{ dateTrunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
        where: 'heartrate > 40',
      },
      { select: [{ index: 'sleep' }, { sleep: 'efficiency' }] },
    ],
    config: { providerPriorityOverrides: ['fitbit'] },
  })
  expect(results).toHaveLength(3)
  expect(results[0]?.table['group_key.0']).toContain('2026-01-05T00:00:00')
  expect(results[0]?.table['sum.steps']?.every((value) => typeof value === 'number')).toBe(true)
  expect(results[1]?.table['mean.heartrate']?.length).toBeGreaterThan(1)
  expect(Object.keys(results[2]?.table ?? {})).toEqual(['timestamp', 'efficiency'])
})

it('reads what a continuous query answered, and when', async () => {
  const { table } = await aggregate.getResultTableForContinuousQuery(userId, 'daily-steps')
  expect(table['sum.steps']?.length).toBeGreaterThan(20)
  const history = await aggregate.getTaskHistoryForContinuousQuery(userId, 'daily-steps', { limit: 1 })
  expect(history.data).toMatchObject([{ userId, status: 'completed' }])
  const rest = await aggregate.getTaskHistoryForContinuousQuery(userId, 'daily-steps', {
    nextCursor: history.nextCursor ?? '',
  })
  expect(rest.data.length).toBeGreaterThan(0)
})

it('has a fault told as one', async () => {
  const query = { select: [{ func: 'sum', arg: { sleep: 'type' } }] } as const
  await expect(
    aggregate.queryOne(userId, { timeframe, queries: [{ select: [...query.select] }] }),
  ).rejects.toMatchObject({ statusCode: 422 })
})

it('leaves out no method', () => {
  console.log(`official client, aggregate: ${called.size} of ${methods.length} methods called`)
  expect([...called].sort()).toEqual([...methods].sort())
})
