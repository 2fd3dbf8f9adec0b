import type { VitalClient } from '@tryvital/vital-node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { MANAGEMENT_KEY, ORG } from '../support/management.ts'
import { methodsOf, type OfficialClient, officialClient } from '../support/official-client.ts'
import { openNetwork } from '../support/open-network.ts'
import { dailySteps } from '../support/sense.ts'

// Every method of the official client that asks questions about data, against the built Petri.

let petri: Started
let called: OfficialClient['called']
let aggregate: VitalClient['aggregate']
let userId: string

const perDay = { dateTrunc: { value: 1, unit: 'day' }, arg: { index: 'activity' } } as const
const steps = { func: 'sum', arg: { activity: 'steps' } } as const
const timeframe = { type: 'relative', anchor: '2026-01-05', past: { value: 1, unit: 'week' } } as const

beforeAll(async () => {
  vi.unstubAllGlobals()
  petri = await startPetri(['--frozen', '--now', '2026-01-05T18:00:00Z'])
  const official = officialClient(petri)
  const { client, call } = official
  called = official.called
  aggregate = client.aggregate
  userId = (await client.user.create({ clientUserId: 'asked' })).userId
  await client.link.connectDemoProvider({ userId, provider: 'fitbit' })
  const { team_id } = await call('GET', '/_petri/world')
  const path = `${ORG}/team/${team_id}/sandbox/continuous_query`
  await call('POST', path, dailySteps, { 'x-management-key': MANAGEMENT_KEY })
  await official.advance('4h')
})
openNetwork()
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
  const all = methodsOf('aggregate')
  expect(all.filter((name) => !called.has(name))).toEqual([])
  console.log(`official client, aggregate: ${all.length} methods called`)
})
