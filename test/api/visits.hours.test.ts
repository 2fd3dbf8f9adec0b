import { describe, expect, it } from 'vitest'
import { localDate, localTime } from '../../src/kernel/local-day.ts'
import { isWorkday } from '../../src/kernel/workdays.ts'
import { advance, readOrder, setFeatures } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { scenarioNames } from '../support/scenarios.ts'
import { courierHours, openHours } from '../support/working-hours.ts'

/** Five ways to a sample that somebody draws, and where. */
const ways = [
  ['at-home-booked-by-phone', '85004', 'America/Phoenix'],
  ['at-home-booked-by-phone', '54650', 'America/Chicago'],
  ['on-site-happy-path', '96813', 'Pacific/Honolulu'],
  ['walk-in-happy-path', '10001', 'America/New_York'],
  ['walk-in-booked-by-phone', '85004', 'America/New_York'],
] as const

interface Drawn {
  readonly way: string
  readonly zone: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Orders of all ways, placed every seven hours over two weeks with a holiday, and when the samples were drawn. */
async function drawsOf(petri: TestPetri, rounds: number): Promise<Drawn[]> {
  const placed: { id: string; way: string; zone: string }[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [scenario, zip, zone] of ways) {
      const { body } = await petri.post('/_petri/orders', { scenario, zip })
      placed.push({ id: body.id, way: `${scenario} ${zip}`, zone })
    }
    await advance(petri, '7h')
  }
  await advance(petri, '40d')
  const draws: Drawn[] = []
  for (const { id, way, zone } of placed) {
    const body = await petri.read(`/v3/order/${id}/result/metadata`)
    draws.push({ way, zone, at: Date.parse(body.date_collected) })
  }
  return draws
}

/** Orders of all scenarios, placed every seven hours, with the local hour and the date of each status. */
async function statusesOf(petri: TestPetri, rounds: number) {
  const ids: string[] = []
  for (let round = 0; round < rounds; round++) {
    for (const scenario of scenarioNames()) {
      const { body } = await petri.post('/_petri/orders', { scenario, zip: '85004' })
      ids.push(body.id)
    }
    await advance(petri, '7h')
  }
  await advance(petri, '40d')
  const statuses: { low: string; date: string; hour: number }[] = []
  for (const id of ids)
    for (const { status, created_at } of (await readOrder(petri, id)).events)
      statuses.push({ low: status.split('.').at(-1), ...localOf('America/Phoenix', Date.parse(created_at)) })
  return statuses
}

function localOf(zone: string, at: number) {
  const [hour, minute] = localTime(zone, at)
  return { date: localDate(zone, at), hour: hour + minute / 60 }
}

describe('hours of work', { tags: 'slow' }, () => {
  const startOn = async (date: string) => {
    const petri = await startTestWorld({ world: { now: Date.parse(`${date}T09:00:00Z`) } })
    await setFeatures(petri, { working_hours: true })
    return petri
  }

  it('are those in which samples are drawn, on days of work', async () => {
    const draws = await drawsOf(await startOn('2026-01-14'), 32)
    const described = draws.map(({ way, zone, at }) => ({ way, ...localOf(zone, at) }))
    expect(described).toHaveLength(160)
    expect(described.filter(({ hour }) => hour < 6 || hour >= 18)).toEqual([])
    expect(described.filter(({ date }) => !isWorkday(date))).toEqual([])
  })

  it('are kept by couriers and laboratories in all scenarios', async () => {
    const statuses = await statusesOf(await startOn('2026-01-14'), 2)
    // When a sample is drawn, its appointment says.
    const ofAll = [...courierHours, ...openHours].filter(([low]) => low !== 'draw_completed')
    const hours = new Map<string, readonly [low: string, first: number, last: number]>(
      ofAll.map((row) => [row[0], row]),
    )
    const timed = statuses.flatMap((each) => {
      const [, first, last] = hours.get(each.low) ?? []
      return first === undefined || last === undefined ? [] : [{ ...each, first, last }]
    })
    expect(timed.filter(({ hour, first, last }) => hour < first || hour > last)).toEqual([])
    expect(timed.filter(({ date }) => !isWorkday(date))).toEqual([])
    const seen = new Set(timed.map(({ low }) => low))
    expect(courierHours.filter(([low]) => !seen.has(low))).toEqual([])
    // What nobody has to come for is set by night as well.
    expect(statuses.some(({ low, hour }) => low === 'requisition_created' && hour < 6)).toBe(true)
  })
})
