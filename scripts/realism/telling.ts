import { areaUnderCurve, type Feature, published } from './discriminator.ts'
import { type Size, withPeople } from './people.ts'
import { findMarkers, type Report, reportOf } from './reports.ts'
import { type Row, section } from './section.ts'
import { deviation, mean } from './statistics.ts'
import { collectWearers, type Wearer } from './wearables.ts'

/** NHANES 2017–18, but for the standard deviations of logarithms, which are assumed. */
// biome-ignore format: a table is read by its columns.
const panel: readonly Feature[] = [
  { name: 'hdl-cholesterol', mean: Math.log(51.7), sd: 0.27, log: true },
  { name: 'triglycerides', mean: Math.log(97), sd: 0.55, log: true },
  { name: 'cholesterol-total', mean: Math.log(184), sd: 0.215, log: true },
  { name: 'hemoglobin-a1c', mean: Math.log(5.62), sd: 0.13, log: true },
  { name: 'alt', mean: Math.log(18.5), sd: 0.48, log: true },
  { name: 'ggt', mean: Math.log(22), sd: 0.65, log: true },
  { name: 'crp-high-sensitivity', mean: Math.log(1.8), sd: 1.15, log: true },
  { name: 'albumin', mean: 4.2, sd: 0.34 },
  { name: 'calcium', mean: 9.35, sd: 0.37 },
  { name: 'wbc', mean: Math.log(7.1), sd: 0.28, log: true },
]

/** As in the rows on correlations; those that are not named are 0, which no body keeps to. */
const panelCorrelations = [
  ['hdl-cholesterol', 'triglycerides', -0.5],
  ['alt', 'ggt', 0.55],
  ['alt', 'triglycerides', 0.3],
  ['triglycerides', 'ggt', 0.3],
  ['cholesterol-total', 'triglycerides', 0.3],
  ['hemoglobin-a1c', 'triglycerides', 0.25],
  ['hemoglobin-a1c', 'hdl-cholesterol', -0.2],
  ['calcium', 'albumin', 0.5],
  ['crp-high-sensitivity', 'albumin', -0.3],
  ['crp-high-sensitivity', 'wbc', 0.3],
] as const

/**
 * Of people: means and deviations of their days, from LifeSnaps 2021, Fitness Tracker Data 2016 and NHANES 2005–06. The mean
 * of the logarithm of steps is that of 8,700, 8,500 and 6,540 a day, less what their spread takes. How deviations differ
 * between people is assumed.
 */
// biome-ignore format: a table is read by its columns.
const days: readonly Feature[] = [
  { name: 'steps', mean: Math.log(6200), sd: 0.42, log: true },
  { name: 'sd of steps', mean: Math.log(0.5), sd: 0.3, log: true },
  { name: 'resting heart rate', mean: 65, sd: 7.5 },
  { name: 'hours of sleep', mean: 7, sd: 0.8 },
  { name: 'sd of sleep', mean: 1.15, sd: 0.3 },
]

const dayCorrelations = [['steps', 'resting heart rate', -0.25]] as const

function vectorsOf(reports: readonly Report[]): number[][] {
  return reports.flatMap(({ lines }) => {
    const values = panel.map(({ name, log }) => {
      const { value } = lines.get(name) ?? { value: Number.NaN }
      return log ? Math.log(value) : value
    })
    return values.every(Number.isFinite) ? [values] : []
  })
}

function daysOf(wearers: readonly Wearer[]): number[][] {
  return wearers.flatMap(({ nights, activity }) => {
    const steps = activity.flatMap((day) => (day.steps ? [Math.log(day.steps)] : []))
    const hours = nights.map(({ total }) => total / 3600)
    const beats = activity.flatMap((day) => day.heart_rate?.resting_bpm ?? [])
    const values = [mean(steps), Math.log(deviation(steps)), mean(beats), mean(hours), deviation(hours)]
    return values.every(Number.isFinite) ? [values] : []
  })
}

interface Told {
  readonly panels: number
  readonly days: number
}

const tell = (
  features: readonly Feature[],
  correlations: Parameters<typeof published>[1],
  made: readonly number[][],
) => areaUnderCurve(features, published(features, correlations, made.length), made)

async function collect(size: Size): Promise<Told> {
  const count = Math.max(2, Math.round(size.people / 2))
  const reports = await withPeople(count, 0, async ({ petri, people }) => {
    const markers = await findMarkers(petri)
    const all: Report[] = []
    for (const person of people) all.push(await reportOf(petri, person, markers))
    return all
  })
  const wearers = await collectWearers({ ...size, people: Math.max(2, Math.round(size.people / 4)) })
  return {
    panels: tell(panel, panelCorrelations, vectorsOf(reports)),
    days: tell(days, dayCorrelations, daysOf(wearers)),
  }
}

const source = 'area under the ROC curve; .5 is chance, below .8 is stated'

const rows: readonly Row<Told>[] = [
  {
    name: 'telling panels of ten analytes from published distributions',
    high: 0.8,
    source,
    measure: ({ panels }) => panels,
  },
  {
    name: 'telling the days of wearers from published distributions',
    high: 0.8,
    source,
    measure: (told) => told.days,
  },
]

export const tellingSections = [section('labs', 'A model that tries to tell', collect, rows)]
