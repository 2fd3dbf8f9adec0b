import { describe, expect, it } from 'vitest'
import { localDate, localTime } from '../../src/kernel/local-day.ts'
import { isWorkday } from '../../src/kernel/workdays.ts'
import { advance, setFeatures } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

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
    const { body } = await petri.get(`/v3/order/${id}/result/metadata`)
    draws.push({ way, zone, at: Date.parse(body.date_collected) })
  }
  return draws
}

describe('samples that somebody draws', () => {
  it('are drawn by day, on days of work', { tags: 'slow' }, async () => {
    const petri = await startTestWorld({ world: { now: Date.parse('2026-01-14T09:00:00Z') } })
    await setFeatures(petri, { working_hours: true })
    const draws = await drawsOf(petri, 32)
    const described = draws.map(({ way, zone, at }) => {
      const [hour, minute] = localTime(zone, at)
      return { way, date: localDate(zone, at), hour: hour + minute / 60 }
    })
    expect(described).toHaveLength(160)
    expect(described.filter(({ hour }) => hour < 6 || hour >= 18)).toEqual([])
    expect(described.filter(({ date }) => !isWorkday(date))).toEqual([])
  })
})
