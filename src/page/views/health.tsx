import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, withQuery } from '../api.ts'
import { Panel } from '../components.tsx'
import { countOf, stampOf } from '../format.ts'
import { BarPlot, Hypnogram, LinePlot, type Mark, type Sample } from '../plots.tsx'
import type { ActivitySummary, ConnectionFeed, FeedMark, GroupedSeries, SleepCycle } from '../responses.ts'
import { now, useData, version } from '../store.ts'
import { useProviders } from './connections.tsx'

const DAY_MS = 86_400_000

interface HealthProps {
  readonly userId: string
  readonly days: number
  readonly today: string
}

/** A query for the latest days. */
function lastDays(path: string, days: number, today: string): string {
  const start_date = new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
  return withQuery(path, { start_date, end_date: today })
}

const series = [
  ['heartrate', 'Heart rate', 'bpm', [55, 90]],
  ['glucose', 'Glucose', 'mmol/L', [3.9, 10]],
  ['hrv', 'Heart rate variability', 'ms', undefined],
] as const

/** Plots of the health data of a user. */
export function Health(props: HealthProps) {
  const marks = useFeedMarks(props.userId)
  return (
    <>
      {series.map(([slug, name, unit, band]) => (
        <SeriesPanel key={slug} {...props} {...{ slug, name, unit, band, marks }} />
      ))}
      <NightPanel {...props} />
      <StepsPanel {...props} />
    </>
  )
}

interface SeriesProps extends HealthProps {
  readonly slug: string
  readonly name: string
  readonly unit: string
  readonly marks: readonly NumberedMark[]
  readonly band: readonly [number, number] | undefined
}

function SeriesPanel({ userId, days, today, slug, name, unit, band, marks }: SeriesProps) {
  const { body } = useData<GroupedSeries>(lastDays(`/v2/timeseries/${userId}/${slug}/grouped`, days, today))
  const samples: Sample[] = Object.values(body?.groups ?? {})
    .flat()
    .flatMap(({ data }) => data.map(({ timestamp, value }) => ({ at: Date.parse(timestamp), value })))
    .sort((a, b) => a.at - b.at)
  if (samples.length === 0 && slug !== 'heartrate') return null
  const since = samples[0]?.at ?? 0
  const own = marks.filter(
    (mark) => (mark.series === null || mark.series.includes(slug)) && mark.until > since,
  )
  return (
    <Panel title={name} note={`${countOf(samples.length, 'sample')}, ${unit}`}>
      <LinePlot name={name} samples={samples} unit={unit} marks={own} {...(band && { band })} />
      {own.length > 0 && (
        <ol class="marks" aria-label="What the feed scenario did">
          {own.map(({ number, does, text }) => (
            <li key={number} class={does}>
              <b>{number}</b> {text}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function NightPanel({ userId, days, today }: HealthProps) {
  const path = lastDays(`/v2/summary/sleep_cycle/${userId}`, days + 3, today)
  const { body } = useData<{ sleep_cycle: SleepCycle[] }>(path)
  const night = body?.sleep_cycle.at(-1)
  if (!night) return null
  const stages = night.stage_type.map((type, at) => ({
    type,
    from: night.stage_start_offset_second[at] ?? 0,
    to: night.stage_end_offset_second[at] ?? 0,
  }))
  return (
    <Panel title="Sleep stages" note={`night to ${night.session_end.slice(0, 10)}`}>
      <Hypnogram start={night.session_start} stages={stages} />
    </Panel>
  )
}

function StepsPanel({ userId, days, today }: HealthProps) {
  const path = lastDays(`/v2/summary/activity/${userId}`, Math.max(13, days), today)
  const { body } = useData<{ activity: ActivitySummary[] }>(path)
  const byDay = new Map(
    (body?.activity ?? []).map(({ calendar_date, steps }) => [calendar_date.slice(5, 10), steps ?? 0]),
  )
  if (byDay.size === 0) return null
  const bars = [...byDay].map(([label, value]) => ({ label: days > 13 ? label.slice(3) : label, value }))
  return (
    <Panel title="Steps" note="per day">
      <BarPlot name="Steps" bars={bars.slice(-31)} unit="steps" />
    </Panel>
  )
}

interface NumberedMark extends Mark {
  readonly series: readonly string[] | null
  readonly text: string
}

/** The periods in which the feed scenarios of a user held back, changed or duplicated data. */
function useFeedMarks(userId: string): readonly NumberedMark[] {
  const slugs = (useProviders(userId) ?? []).map(({ slug }) => slug).join()
  const marks = useSignal<readonly FeedMark[]>([])
  const beat = version.value
  useEffect(() => {
    let isStale = false
    const read = async (slug: string) => {
      const path = `/_petri/users/${userId}/connections/${slug}/feed`
      const feed = await get<ConnectionFeed>(path).catch(() => undefined)
      return feed?.marks ?? []
    }
    void Promise.all(slugs.split(',').filter(Boolean).map(read)).then((found) => {
      if (!isStale) marks.value = found.flat()
    })
    return () => {
      isStale = true
    }
  }, [userId, slugs, beat])
  return marks.value.map((mark, at) => numbered(mark, at + 1, Date.parse(now.value)))
}

/** What was done to the data, and the resolution of the past and of the future. */
const markTexts = {
  held_back: ['held back', 'arrived', 'arrives'],
  changed: ['changed', 'corrected', 'to be corrected'],
  doubled: ['doubled', '', ''],
} as const

function numbered(
  { does, series, from, until, settled_at }: FeedMark,
  number: number,
  nowAt: number,
): NumberedMark {
  const [done, settled, settles] = markTexts[does]
  const period = [from && `from ${stampOf(from)}`, until && `to ${stampOf(until)}`].filter(Boolean).join(' ')
  const isSettled = settled_at !== null && Date.parse(settled_at) <= nowAt
  const resolution = isSettled ? settled : settles
  return {
    number,
    does,
    series,
    from: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
    until: until === null ? nowAt : Math.min(Date.parse(until), nowAt),
    text: `${done} ${period}${settled_at && resolution ? `; ${resolution} ${stampOf(settled_at)}` : ''}`,
  }
}
