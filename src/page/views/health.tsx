import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { DAY_MS } from '../../kernel/instant.ts'
import { readableDate, readableInstant } from '../../kernel/readable.ts'
import { get, withQuery } from '../api.ts'
import { Panel } from '../components.tsx'
import { countOf } from '../format.ts'
import { BarPlot, Hypnogram, LinePlot, type Mark, type PlotPoint, type ShownDays } from '../plots.tsx'
import type { ActivitySummary, ConnectionFeed, FeedMark, GroupedSeries, SleepCycle } from '../responses.ts'
import { now, useData, version } from '../store.ts'
import { useProviders } from './connections.tsx'

interface HealthProps {
  readonly userId: string
  /** Days before today. */
  readonly days: number
  /** A date. */
  readonly today: string
}

/** From the beginning of the first day to the end of today. */
const periodOf = ({ days, today }: HealthProps): ShownDays => ({
  from: Date.parse(today) - days * DAY_MS,
  to: Date.parse(today) + DAY_MS,
})

/** A query for these days. */
const inDays = (path: string, props: HealthProps): string =>
  withQuery(path, {
    start_date: new Date(periodOf(props).from).toISOString().slice(0, 10),
    end_date: props.today,
  })

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

function SeriesPanel(props: SeriesProps) {
  const { userId, slug, name, unit, band, marks } = props
  const period = periodOf(props)
  const { body } = useData<GroupedSeries>(inDays(`/v2/timeseries/${userId}/${slug}/grouped`, props))
  const samples: PlotPoint[] = Object.values(body?.groups ?? {})
    .flat()
    .flatMap(({ data }) => data.map(({ timestamp, value }) => ({ at: Date.parse(timestamp), value })))
    .sort((a, b) => a.at - b.at)
  if (samples.length === 0 && slug !== 'heartrate') return null
  const own = marks.filter(
    (mark) => (mark.series === null || mark.series.includes(slug)) && mark.until > period.from,
  )
  return (
    <Panel title={name} note={`${countOf(samples.length, 'sample')}, ${unit}`}>
      <LinePlot {...{ period, name, samples, unit }} marks={own} {...(band && { band })} />
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

/** The last night of the days shown. */
function NightPanel(props: HealthProps) {
  const path = inDays(`/v2/summary/sleep_cycle/${props.userId}`, props)
  const { body } = useData<{ sleep_cycle: SleepCycle[] }>(path)
  const night = body?.sleep_cycle.at(-1)
  if (!night) return null
  const stages = night.stage_type.map((type, at) => ({
    type,
    from: night.stage_start_offset_second[at] ?? 0,
    to: night.stage_end_offset_second[at] ?? 0,
  }))
  return (
    <Panel title="Sleep stages" note={`night to ${readableDate(night.session_end)}`}>
      <Hypnogram start={night.session_start} stages={stages} />
    </Panel>
  )
}

function StepsPanel(props: HealthProps) {
  const path = inDays(`/v2/summary/activity/${props.userId}`, props)
  const { body } = useData<{ activity: ActivitySummary[] }>(path)
  const byDay = new Map(
    (body?.activity ?? []).map(({ calendar_date, steps }) => [calendar_date.slice(0, 10), steps ?? 0]),
  )
  if (byDay.size === 0) return null
  const bars = [...byDay].map(([date, value]) => ({ at: Date.parse(date), value }))
  return (
    <Panel title="Steps" note="per day">
      <BarPlot period={periodOf(props)} name="Steps" bars={bars} unit="steps" />
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

/** Words for a change of the data, and for its end in the past and in the future. */
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
  const period = [from && `from ${readableInstant(from)}`, until && `to ${readableInstant(until)}`]
    .filter(Boolean)
    .join(' ')
  const isSettled = settled_at !== null && Date.parse(settled_at) <= nowAt
  const resolution = isSettled ? settled : settles
  return {
    number,
    does,
    series,
    from: from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
    until: until === null ? nowAt : Math.min(Date.parse(until), nowAt),
    text: `${done} ${period}${settled_at && resolution ? `; ${resolution} ${readableInstant(settled_at)}` : ''}`,
  }
}
