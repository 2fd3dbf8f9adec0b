import { useData } from '../data.ts'
import { BarPlot, Hypnogram, LinePlot, type Sample } from '../plots.tsx'
import { Panel } from '../ui.tsx'
import { countOf } from '../words.ts'
import { MarkList, marksOf, type ToldMark, useMarks } from './feed-marks.tsx'

interface Grouped {
  readonly groups: Readonly<
    Record<
      string,
      readonly { readonly data: readonly { readonly timestamp: string; readonly value: number }[] }[]
    >
  >
}

interface SleepCycle {
  readonly session_start: string
  readonly session_end: string
  readonly stage_start_offset_second: readonly number[]
  readonly stage_end_offset_second: readonly number[]
  readonly stage_type: readonly number[]
}

const DAY_MS = 86_400_000
const back = (today: string, days: number) =>
  new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)

interface Props {
  readonly userId: string
  readonly days: number
  readonly today: string
}

const series = [
  ['heartrate', 'Heart rate', 'bpm', [55, 90]],
  ['glucose', 'Glucose', 'mmol/L', [3.9, 10]],
  ['hrv', 'Heart rate variability', 'ms', undefined],
] as const

/** Plots of what a user has data of. */
export function Health({ userId, days, today }: Props) {
  const marks = useMarks(userId)
  return (
    <>
      {series.map(([slug, name, unit, band]) => (
        <Series key={slug} {...{ userId, days, today, slug, name, unit, marks }} {...(band && { band })} />
      ))}
      <Night userId={userId} days={days} today={today} />
      <Steps userId={userId} days={days} today={today} />
    </>
  )
}

interface SeriesProps extends Props {
  readonly slug: string
  readonly name: string
  readonly unit: string
  readonly marks: readonly ToldMark[]
  readonly band?: readonly [number, number]
}

function Series({ userId, days, today, slug, name, unit, band, marks }: SeriesProps) {
  const { body } = useData<Grouped>(
    `/v2/timeseries/${userId}/${slug}/grouped?start_date=${back(today, days)}&end_date=${today}`,
  )
  const samples: Sample[] = Object.values(body?.groups ?? {})
    .flat()
    .flatMap(({ data }) => data.map(({ timestamp, value }) => ({ at: Date.parse(timestamp), value })))
    .sort((a, b) => a.at - b.at)
  if (samples.length === 0 && slug !== 'heartrate') return null
  const own = marksOf(marks, slug, samples[0]?.at ?? 0)
  return (
    <Panel
      title={name}
      aside={
        <span class="dim">
          {countOf(samples.length, 'sample')}, {unit}
        </span>
      }
    >
      <LinePlot name={name} samples={samples} unit={unit} marks={own} {...(band && { band })} />
      <MarkList marks={own} />
    </Panel>
  )
}

function Night({ userId, days, today }: Props) {
  const { body } = useData<{ sleep_cycle: SleepCycle[] }>(
    `/v2/summary/sleep_cycle/${userId}?start_date=${back(today, days + 3)}&end_date=${today}`,
  )
  const night = body?.sleep_cycle.at(-1)
  if (!night) return null
  const stages = night.stage_type.map((type, at) => ({
    type,
    from: night.stage_start_offset_second[at] ?? 0,
    to: night.stage_end_offset_second[at] ?? 0,
  }))
  return (
    <Panel title="Sleep stages" aside={<span class="dim">night to {night.session_end.slice(0, 10)}</span>}>
      <Hypnogram start={night.session_start} stages={stages} />
    </Panel>
  )
}

function Steps({ userId, days, today }: Props) {
  const { body } = useData<{ activity: { calendar_date: string; steps: number | null }[] }>(
    `/v2/summary/activity/${userId}?start_date=${back(today, Math.max(13, days))}&end_date=${today}`,
  )
  const byDay = new Map(
    (body?.activity ?? []).map(({ calendar_date, steps }) => [calendar_date.slice(5, 10), steps ?? 0]),
  )
  if (byDay.size === 0) return null
  const bars = [...byDay].map(([label, value]) => ({ label: days > 13 ? label.slice(3) : label, value }))
  return (
    <Panel title="Steps" aside={<span class="dim">a day each</span>}>
      <BarPlot name="Steps" bars={bars.slice(-31)} unit="steps" />
    </Panel>
  )
}
