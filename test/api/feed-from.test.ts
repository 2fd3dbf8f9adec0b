import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, toIso } from '../../src/kernel/instant.ts'
import { FeedReader } from '../../src/scenarios/incidents/feed-record.ts'
import { writeFeed } from '../../src/scenarios/incidents/feed-text.ts'
import { events } from '../../src/world/events.ts'
import { follower } from '../support/feeds.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { scenarioNames } from '../support/scenarios.ts'
import { advance } from '../support/wearables.ts'

/** The log of a receiver of all events. */
const logOf = (petri: TestPetri) =>
  [...petri.world().db.all(events)].map(({ id, at, payload }) => ({
    received_at: toIso(at),
    headers: { 'svix-id': id },
    body: payload,
  }))

/** Which data came when: for each event its type, and the periods of its data. */
const arrivalsOf = (petri: TestPetri) =>
  [...petri.world().db.all(events)]
    .map(({ at, event_type, payload }) => {
      const { data } = payload as { data: Record<string, unknown> }
      const samples = Array.isArray(data.data) ? (data.data as { timestamp: string }[]) : []
      const source = data.source as { type?: string } | undefined
      const day = data.calendar_date ?? data.date ?? data.start_date ?? ''
      const of = samples.length > 0 ? samples.map(({ timestamp }) => timestamp).join() : day
      return `${toIso(at)} ${event_type} ${source?.type ?? ''} ${of}`
    })
    .sort()

async function play(scenario: string, days: number, source?: string, provider?: string, now?: number) {
  const petri = await startTestWorld(now === undefined ? {} : { world: { now } })
  if (source !== undefined) {
    const { status, body } = await petri.call('PUT', `/_petri/feeds/${scenario}`, { source })
    expect(status, `${JSON.stringify(body)}\n${source}`).toBe(200)
  }
  await follower(petri, scenario, provider)
  await advance(petri, days * DAY_MS + HOUR_MS)
  return petri
}

const read = (...documents: unknown[]) => {
  const reader = new FeedReader()
  for (const document of documents) reader.add(document)
  return reader.finish()
}

const daysOf: Readonly<Record<string, number>> = {
  'time-zone-travel': 2.5,
  'abnormal-value-alert': 3.2,
  'empty-days': 3,
  'device-change': 2.2,
  'duplicate-samples': 2.2,
  'incomplete-buckets': 2.3,
  'two-overlapping-sources': 2.2,
  // While the device is worn.
  'sparse-wearer': 2.7,
}
/** No scenario can hide what a day had before its connection; those that do so in other ways begin at midnight. */
const begins: Readonly<Record<string, number>> = {
  'dst-night': Date.parse('2026-03-07T12:00:00Z'),
  'empty-days': Date.parse('2026-01-05T00:00:00Z'),
  'sparse-wearer': Date.parse('2026-01-05T00:00:00Z'),
}

describe('a feed scenario written from a log', () => {
  it.each(sampled(scenarioNames('feeds/')))(
    'lets the same data come as %s',
    { tags: 'slow' },
    async (name) => {
      const days = daysOf[name] ?? 1.4
      const petri = await play(name, days, undefined, undefined, begins[name])
      const { source, notes } = writeFeed(read(...logOf(petri)), 'incident')
      expect(notes).toEqual([
        'Left out: values, ids, names and dates; the data are those of the user who is connected.',
        'The data are of fitbit; connect to it to see the same.',
      ])
      const again = await play('incident', days, source, undefined, begins[name])
      // A log does not say what would have come after its end.
      const arrivals = arrivalsOf(petri)
      const end = (arrivals.at(-1) ?? '').slice(0, 24)
      expect(
        arrivalsOf(again).filter((line) => line.slice(0, 24) <= end),
        source,
      ).toEqual(arrivals)
    },
  )

  it('lets a history come as daily events alone', { tags: 'slow' }, async () => {
    const steps = '[{ after: 0s, history: { comes: daily, takes: 2h } }]'
    const petri = await play('mine', 0.5, `name: mine\nsummary: Mine.\nkind: feed\nsteps: ${steps}\n`)
    const { source } = writeFeed(read(...logOf(petri)), 'incident')
    expect(source).toContain('- { after: 0s, history: { comes: daily, takes: 2h } }')
    expect(arrivalsOf(await play('incident', 0.5, source))).toEqual(arrivalsOf(petri))
  })
})
