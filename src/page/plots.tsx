import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { HOUR_MS } from '../kernel/instant.ts'
import { largest, smallest } from '../kernel/list.ts'
import { readableDay } from '../kernel/readable.ts'
import { countOf } from './format.ts'

/** Small plots as SVG, styled by classes, so that a strict policy and both themes hold. */

const HEIGHT = 150
const LEFT = 46
const RIGHT = 10
/** The least width of a label of the time axis. */
const LABEL = 44

const narrow = globalThis.matchMedia?.('(max-width: 600px)')
/** As wide as it is shown, so that its text has the size of that around it. */
const plotWidth = signal(narrow?.matches ? 330 : 620)
narrow?.addEventListener('change', ({ matches }) => {
  plotWidth.value = matches ? 330 : 620
})

export interface PlotPoint {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/** Where an instant of a period is drawn. */
const xIn =
  ({ from, to }: ShownDays) =>
  (at: number) =>
    LEFT + ((at - from) / (to - from || 1)) * (plotWidth.value - LEFT - RIGHT)

/** `16 Mar`. */
const dateOf = (at: number) => readableDay(new Date(at).toISOString())

const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16)

/** Round values between two bounds, about `count` of them. */
function ticksBetween(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= raw) ?? raw
  const first = Math.ceil(low / step) * step
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, at) => first + at * step)
}

const short = (value: number) =>
  Math.abs(value) >= 1000 ? `${+(value / 1000).toFixed(1)}k` : String(+value.toFixed(2))

/** Samples with less than this between them are joined, in milliseconds. */
export function gapOf(samples: readonly PlotPoint[]): number {
  const steps = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at))
  const sorted = [...steps].sort((a, b) => a - b)
  return Math.max(20 * 60_000, 3 * (sorted[Math.floor(sorted.length / 2)] ?? 0))
}

/** The periods without samples that are longer than usual. */
export function gapsIn(samples: readonly PlotPoint[]): { from: number; to: number }[] {
  const gap = gapOf(samples)
  return samples.slice(1).flatMap(({ at }, index) => {
    const from = samples[index]?.at ?? at
    return at - from > gap ? [{ from, to: at }] : []
  })
}

/** A period in which the data were not as measured; its number is shown in the plot. */
export interface Mark {
  readonly number: number
  readonly does: string
  /** Milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** The days that all plots of a user show, in milliseconds since 1970. */
export interface ShownDays {
  readonly from: number
  readonly to: number
}

interface LineProps {
  readonly period: ShownDays
  readonly name: string
  readonly samples: readonly PlotPoint[]
  readonly unit: string
  /** The usual or target range. */
  readonly band?: readonly [low: number, high: number]
  readonly marks?: readonly Mark[]
}

/** A line, interrupted where there are gaps. */
export function LinePlot({ period, name, samples, unit, band, marks = [] }: LineProps) {
  const first = samples[0]
  if (!first) return <p class="quiet">No samples in these days.</p>
  const values = samples.map(({ value }) => value)
  const low = smallest(values)
  const high = largest(values)
  const pad = (high - low || 1) * 0.08
  const x = xIn(period)
  const y = (value: number) => 8 + (1 - (value - low + pad) / (high - low + 2 * pad)) * (HEIGHT - 30)
  const gaps = gapsIn(samples)
  const starts = new Set([first.at, ...gaps.map(({ to }) => to)])
  const path = samples.map(
    ({ at, value }) => `${starts.has(at) ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
  )
  const descriptions = gaps.map(({ from, to }) => `none from ${clockTime(from)} to ${clockTime(to)}`)
  const label = [
    `${name}: ${countOf(samples.length, 'sample')}, ${short(low)} to ${short(high)} ${unit}`,
    ...descriptions,
  ].join('; ')
  return (
    <Plot label={label}>
      <Marks marks={marks} since={period.from} x={x} />
      {band && <Band from={y(Math.min(band[1], high + pad))} to={y(Math.max(band[0], low - pad))} />}
      <ValueAxis ticks={ticksBetween(low, high + pad, 4)} y={y} />
      <TimeAxis {...period} x={x} />
      <path class="stroke" d={path.join('')} />
    </Plot>
  )
}

interface PlotProps {
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

const Plot = ({ label, class: name = '', children }: PlotProps) => (
  <svg class={`plot ${name}`} viewBox={`0 0 ${plotWidth.value} ${HEIGHT}`} role="img" aria-label={label}>
    {children}
  </svg>
)

interface MarksProps {
  readonly marks: readonly Mark[]
  /** Where the plot begins. */
  readonly since: number
  readonly x: (at: number) => number
}

const Marks = ({ marks, since, x }: MarksProps) => (
  <>
    {marks.map(({ number, does, from, until }) => {
      const left = x(Math.max(since, from))
      return (
        <g key={number} class={`marked ${does}`} data-mark={number}>
          <rect x={left} width={Math.max(2, x(until) - left)} y="2" height={HEIGHT - 24} />
          <text class="tick" x={left + 4} y="13">
            {number}
          </text>
        </g>
      )
    })}
  </>
)

const Band = ({ from, to }: { from: number; to: number }) => (
  <rect
    class="band"
    x={LEFT}
    width={plotWidth.value - LEFT - RIGHT}
    y={from}
    height={Math.max(0, to - from)}
  />
)

interface ValueAxisProps {
  readonly ticks: readonly number[]
  readonly y: (value: number) => number
  readonly nameOf?: (value: number) => string | undefined
}

const ValueAxis = ({ ticks, y, nameOf = short }: ValueAxisProps) => (
  <>
    {ticks.map((value) => (
      <g key={value}>
        <path class="grid" d={`M${LEFT} ${y(value)}H${plotWidth.value - RIGHT}`} />
        <text class="tick" x={LEFT - 6} y={y(value) + 3.5} text-anchor="end">
          {nameOf(value)}
        </text>
      </g>
    ))}
  </>
)

/** Times and, at each midnight, the date. */
function TimeAxis({ from, to, x }: ShownDays & { x: (at: number) => number }) {
  const most = (plotWidth.value - LEFT - RIGHT) / LABEL
  const step =
    [1, 2, 4, 6, 12, 24, 48, 168]
      .map((hours) => hours * HOUR_MS)
      .find((each) => (to - from) / each <= most) ?? 720 * HOUR_MS
  const times: number[] = []
  for (let at = Math.ceil(from / step) * step; at < to; at += step) times.push(at)
  return (
    <>
      {times.map((at) => (
        <text key={at} class="tick" x={x(at)} y={HEIGHT - 6} text-anchor="middle">
          {at % (24 * HOUR_MS) === 0 ? dateOf(at) : clockTime(at)}
        </text>
      ))}
    </>
  )
}

interface BarProps {
  readonly period: ShownDays
  readonly name: string
  readonly unit: string
  /** The value of each day, by the instant at which the day begins. */
  readonly bars: readonly PlotPoint[]
}

/** A bar for each day. */
export function BarPlot({ period, name, bars, unit }: BarProps) {
  const high = Math.max(1, largest(bars.map(({ value }) => value))) * 1.08
  const x = xIn(period)
  const width = x(period.from + 24 * HOUR_MS) - LEFT
  const y = (value: number) => 8 + (1 - value / high) * (HEIGHT - 30)
  const label = `${name}: ${bars.map(({ at, value }) => `${dateOf(at)} ${value} ${unit}`).join(', ')}`
  return (
    <Plot label={label}>
      <ValueAxis ticks={ticksBetween(0, high, 3)} y={y} />
      {bars.map(({ at, value }) => (
        <rect
          key={at}
          class="bar"
          data-day={dateOf(at)}
          x={x(at) + 0.18 * width}
          width={width * 0.64}
          y={y(value)}
          height={HEIGHT - 22 - y(value)}
          rx="2"
        />
      ))}
      <TimeAxis {...period} x={x} />
    </Plot>
  )
}

/** A sleep stage; in seconds since the start of the night. */
export interface Stage {
  readonly from: number
  readonly to: number
  /** 1 deep, 2 light, 3 REM, 4 awake. */
  readonly type: number
}

const stageNames = ['', 'deep', 'light', 'REM', 'awake']
const rows = [0, 3, 2, 1, 0]

/** The stages of a night as sleep laboratories draw them. */
export function Hypnogram({ start, stages }: { start: string; stages: readonly Stage[] }) {
  const startAt = Date.parse(start)
  const night = { from: startAt, to: startAt + (stages.at(-1)?.to ?? 1) * 1000 }
  const xOf = xIn(night)
  const x = (second: number) => xOf(startAt + second * 1000)
  const y = (type: number) => 16 + (rows[type] ?? 3) * 30
  const risers = stages.map(
    ({ from, to, type }, at) => `${at === 0 ? 'M' : 'L'}${x(from)} ${y(type)}L${x(to)} ${y(type)}`,
  )
  const descriptions = stages.map(
    ({ from, to, type }) =>
      `${stageNames[type]} ${clockTime(startAt + from * 1000)}–${clockTime(startAt + to * 1000)}`,
  )
  return (
    <Plot class="hypnogram" label={`Sleep stages: ${descriptions.join(', ')}`}>
      <ValueAxis ticks={[4, 3, 2, 1]} y={y} nameOf={(type) => stageNames[type]} />
      <path class="riser" d={risers.join('')} />
      {stages.map(({ from, to, type }) => (
        <rect
          key={from}
          class={`stage s${type}`}
          x={x(from)}
          width={Math.max(1, x(to) - x(from))}
          y={y(type) - 5}
          height="10"
          rx="2"
        />
      ))}
      <TimeAxis {...night} x={xOf} />
    </Plot>
  )
}
