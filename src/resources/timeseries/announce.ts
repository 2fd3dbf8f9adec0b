import { HOUR_MS } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import type { Connection, Span } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { eventSubject } from '../users/service.ts'
import { resourceOf, type Series, seriesTable } from './catalogue.ts'
import { type Feed, feedsOfConnection, hasSeries, samplesOf } from './feeds.ts'
import type { Sample } from './sample.ts'
import { byWorkout, sourceText } from './source.ts'
import { sampleKey, storedBetween, storedFeedsOf } from './stored.ts'
import { sampleWriter } from './write.ts'

/** The maximum number of samples in an event. */
const MAX_IN_EVENT = 1000
/** The maximum duration of a sample, and of a sample of a point series. */
const MAX_MS = 12 * HOUR_MS
const MAX_POINT_MS = HOUR_MS
const longest = ({ kind }: Series): number => (kind === 'point' ? MAX_POINT_MS : MAX_MS)

/** The number of samples that are compared in one step. */
const SAMPLES_A_STEP = 64

/** The events of samples that were completed after `from` and by `until`, or whose value has grown. Yields between its steps. */
export function* eventsOfSamples(
  world: World,
  connection: Connection,
  span: Span,
): Generator<void, NewEvent[]> {
  const effects = world.parts.feedScenarios.effectsOf(world, connection)
  const late = effects?.changedIn(span.from, span.until) ?? []
  const found: NewEvent[] = []
  for (const series of seriesTable) {
    if (resourceOf(series) === null || !hasSeries(connection.provider, series)) continue
    for (const feed of feedsOfConnection(world, series, connection)) {
      const { created, updated } =
        late.length > 0
          ? yield* differences(world, series, feed, span, late)
          : yield* changesWithin(world, series, feed, span, effects !== undefined)
      for (const [what, samples] of [
        ['created', created],
        ['updated', updated],
      ] as const) {
        for (const event of eventsOfBatch(world, series, feed, what, samples)) {
          found.push(event)
          yield
        }
      }
    }
  }
  return found
}

/** The same with a feed scenario that delays or changes data: compares the samples as of `until` with those as of `from`. */
function* differences(
  world: World,
  series: Series,
  feed: Feed,
  { from, until }: Span,
  late: readonly Span[],
): Generator<void, Changes> {
  const keyOf = sampleKey(series.types === 'any')
  const created = new Map<string, Sample>()
  const updated = new Map<string, Sample>()
  for (const stretch of [{ from, until }, ...late]) {
    const around = { from: stretch.from - longest(series), until: Math.min(stretch.until, until) }
    const storedKeys = storedKeysOf(world, series, feed, around)
    const before = new Map<string, Sample>()
    let looked = 0
    for (const sample of samplesOf(world, series, feed, around, from)) {
      before.set(keyOf(sample), sample)
      if (++looked % SAMPLES_A_STEP === 0) yield
    }
    for (const sample of samplesOf(world, series, feed, around, until)) {
      if (++looked % SAMPLES_A_STEP === 0) yield
      const key = keyOf(sample)
      if (storedKeys?.has(key)) continue
      const known = before.get(key)
      if (!known) created.set(key, sample)
      else if (known.value !== sample.value) updated.set(key, sample)
    }
  }
  return { created: inOrder(created), updated: inOrder(updated) }
}

interface Changes {
  readonly created: readonly Sample[]
  readonly updated: readonly Sample[]
}

const inOrder = (samples: ReadonlyMap<string, Sample>) =>
  [...samples.values()].sort((a, b) => a.start - b.start)

/** The samples of a period that are new, and those whose value has grown. */
function* changesWithin(
  world: World,
  series: Series,
  feed: Feed,
  { from, until }: Span,
  hasScenario: boolean,
): Generator<void, Changes> {
  const around = { from: from - longest(series), until }
  const storedKeys = storedKeysOf(world, series, feed, around)
  const keyOf = sampleKey(series.types === 'any')
  // With a feed scenario, data that begins exactly at this instant is new.
  const isNew = hasScenario ? ({ end }: Sample) => end >= from : ({ end }: Sample) => end > from
  const now: Sample[] = []
  let looked = 0
  for (const sample of samplesOf(world, series, feed, around, until)) {
    if (isNew(sample) && !storedKeys?.has(keyOf(sample))) now.push(sample)
    if (++looked % SAMPLES_A_STEP === 0) yield
  }
  if (!series.grows && !hasScenario) return { created: now, updated: [] }
  const before = new Map<string, Sample['value']>()
  if (now.some(({ start }) => start <= from)) {
    for (const sample of samplesOf(world, series, feed, { from: around.from, until: from }, from)) {
      if (isNew(sample)) before.set(keyOf(sample), sample.value)
      if (++looked % SAMPLES_A_STEP === 0) yield
    }
  }
  return {
    created: now.filter((sample) => !before.has(keyOf(sample))),
    updated: now.filter((sample) => (before.get(keyOf(sample)) ?? sample.value) !== sample.value),
  }
}

/** The stored samples of a window, which were announced when they were stored. */
function storedKeysOf(world: World, series: Series, { userId, provider, type }: Feed, span: Span) {
  const stored = storedFeedsOf(world, userId, series.slug).find(
    (feed) => feed.provider === provider && feed.source_type === type,
  )
  if (!stored) return undefined
  const keyOf = sampleKey(series.types === 'any')
  return new Set([...storedBetween(world, stored, span.from, span.until)].map(keyOf))
}

/** The events of one device's samples. Yields between events. */
export function* announceBatch(
  world: World,
  series: Series,
  feed: Feed,
  what: 'created' | 'updated',
  samples: readonly Sample[],
): Generator<void, void> {
  for (const { type, data } of eventsOfBatch(world, series, feed, what, samples)) {
    world.emit(type, eventSubject(world, feed.userId), data)
    yield
  }
}

/** Samples split into events; each workout has its own, and stages of sleep have none. */
function* eventsOfBatch(
  world: World,
  series: Series,
  feed: Feed,
  what: 'created' | 'updated',
  samples: readonly Sample[],
): Generator<NewEvent> {
  const resource = resourceOf(series)
  if (resource === null) return
  const write = sampleWriter(series)
  const tail = `"source_id":${findProvider(feed.provider)?.source_id ?? 0},"user_id":"${feed.userId}"}`
  for (const group of byWorkout(samples)) {
    const source = sourceText(world, feed, group[0]?.workout)
    for (let at = 0; at < group.length; at += MAX_IN_EVENT) {
      const data = group
        .slice(at, at + MAX_IN_EVENT)
        .map(write)
        .join(',')
      const text = `{"source":${source},"data":[${data}],${tail}`
      yield { type: `daily.data.${resource}.${what}`, data: new JsonText(text) }
    }
  }
}
