import type { LocalPetri } from '../../src/index.ts'
import { DAY_MS, toDate } from '../../src/kernel/instant.ts'
import type { UserTruth } from '../../src/page/responses.ts'
import { ARRIVAL, connectAll, type Known, type Size, withPersona } from './people.ts'
import { findMarkers, type Report, reportOf } from './reports.ts'
import { type Row, type Section, section } from './section.ts'
import { deviation, mean, median, share } from './statistics.ts'
import { MG_PER_MMOL, type Night, samples } from './wearables.ts'

/** What is measured of a person on one day; means of the nights of the week before. */
interface Look {
  readonly report: Report
  /** The lowest of a night. */
  readonly heart: number
  /** Of a glucose sensor: the share of the week's readings below 70 mg/dL. */
  readonly low: number
  readonly truth: UserTruth
}

/** The looks at each person of a persona. */
type Followed = readonly (readonly Look[])[]

/** Looks at people who are a persona, on these days after its begin. */
const follow =
  (persona: string, days: readonly number[]) =>
  (size: Size): Promise<Followed> =>
    withPersona(persona, Math.max(2, Math.round(size.people / 40)), async ({ petri, people }) => {
      await connectAll({ petri, people }, 'oura')
      await connectAll({ petri, people }, 'dexcom_v3')
      await petri.clock.advance(ARRIVAL)
      const markers = await findMarkers(petri)
      const looks: Look[][] = people.map(() => [])
      let today = 0
      for (const day of days) {
        await petri.clock.advance(`${day - today}d`)
        today = day
        for (const [nth, person] of people.entries()) looks[nth]?.push(await lookAt(petri, person, markers))
      }
      return looks
    })

async function lookAt(petri: LocalPetri, person: Known, markers: readonly number[]): Promise<Look> {
  const now = (await petri.clock.now()).getTime()
  const week = `start_date=${toDate(now - 7 * DAY_MS)}&end_date=${toDate(now - DAY_MS)}`
  const path = `/v2/summary/sleep/${person.userId}?${week}`
  const { sleep } = await petri.call<{ sleep: Night[] }>('GET', path)
  const sugars = await samples(petri, person, 'glucose', week)
  const since = toDate(now - 700 * DAY_MS)
  return {
    report: await reportOf(petri, person, markers),
    heart: mean(sleep.flatMap(({ hr_lowest }) => hr_lowest ?? [])),
    low: share(sugars, ({ value }) => value * MG_PER_MMOL < 70),
    truth: await petri.call('GET', `/_petri/users/${person.userId}/truth?from=${since}`),
  }
}

type Measure = (look: Look) => number

const result =
  (slug: string): Measure =>
  ({ report }) =>
    report.lines.get(slug)?.value ?? Number.NaN
const trait =
  (name: string): Measure =>
  ({ truth }) =>
    truth.traits[name] ?? Number.NaN
const heart: Measure = (look) => look.heart
const cycleDeviation: Measure = ({ truth }) => deviation(truth.cycles.map(({ days }) => days))

const medianOf = (numbers: readonly number[]): number => median(numbers.filter(Number.isFinite))

/** The median of the last look. */
const at =
  (of: Measure) =>
  (followed: Followed): number =>
    medianOf(followed.flatMap((looks) => looks.slice(-1).map(of)))

/** The median change from the first look to the second. */
const change =
  (of: Measure, by = (before: number, after: number) => after - before) =>
  (followed: Followed): number =>
    medianOf(followed.flatMap(([before, after]) => (before && after ? [by(of(before), of(after))] : [])))

const inPercent = (before: number, after: number): number => 100 * (after / before - 1)

const persona = (name: string, days: readonly number[], row: Row<Followed>): Section =>
  section('personas', 'Personas', follow(name, days), [row])

// biome-ignore format: a table is read by its columns.
export const personaSections: readonly Section[] = [
  persona('athlete', [14], { name: 'athlete: lowest heart rate of a night, bpm', low: 35, high: 52, source: '14 bpm below controls (elite runners, 1997)', measure: at(heart) }),
  persona('atrial-fibrillation', [14], { name: 'atrial fibrillation at 75: share of the time in %', low: 5, high: 20, source: 'median 10.4 in men, 7.8 in women (13,350 people, 2017)', measure: at(trait('fibrillation_burden')) }),
  persona('centenarian', [14], { name: 'centenarian: eGFR, mL/min', high: 60, source: 'kidney disease is below 60 (KDIGO)', measure: at(result('egfr')) }),
  persona('child', [14], { name: 'child of 9: resting heart rate, bpm', low: 70, high: 98, source: 'median 84 at 8 to 12 years (Fleming 2011)', measure: at(trait('resting_heart')) }),
  persona('glp1-begun', [27, 28 + 7 * 68], { name: 'GLP-1 for 68 weeks: BMI, change in %', low: -18, high: -12, source: '−14.9 (STEP 1, 2021)', measure: change(trait('body_mass_index'), inPercent) }),
  persona('healthy-control', [14], { name: 'healthy control: A1c, %', high: 5.7, source: 'below prediabetes (American Diabetes Association)', measure: at(result('hemoglobin-a1c')) }),
  persona('hypothyroid-treated', [13, 14 + 7 * 6], { name: 'levothyroxine for 6 weeks: TSH, change in %', low: -96, high: -70, source: '−92: from 57.6 to 4.7 mIU/L (Kohler 2014)', measure: change(result('tsh'), inPercent) }),
  persona('iron-deficiency-treated', [20, 21 + 28], { name: 'iron for 4 weeks: hemoglobin, change in g/dL', low: 0.9, high: 2.4, source: '+1 in 2 weeks, +2 in 3–4 (British Society of Gastroenterology)', measure: change(result('hemoglobin')) }),
  persona('leap-day', [14], { name: 'leap day: born on 29 February, share', low: 1, source: 'what the word says', measure: at(({ truth }) => Number(truth.birth_date.endsWith('-02-29'))) }),
  persona('lows-at-night', [14], { name: 'lows at night: readings below 70 mg/dL, share', low: 0.04, source: 'the target in type 1 diabetes is less (ADA 2024)', measure: at(({ low }) => low) }),
  persona('perimenopause', [14], { name: 'perimenopause: cycles, sd within a person', low: 6.5, high: 14, source: 'three times that of 35–39 above 50 (Li 2023)', measure: at(cycleDeviation) }),
  persona('post-viral', [20, 26], { name: 'illness: heart rate of a night, change in bpm', low: 3, high: 10, source: '8.5 for each °C of fever (as reported with Radin 2020)', measure: change(heart) }),
  persona('pregnancy', [28 + 7 * 30], { name: 'pregnancy, week 30: progesterone, ng/mL', low: 60, high: 250, source: '99–342 in the third trimester (Abbassi-Ghanavati 2009)', measure: at(result('progesterone')) }),
  persona('shift-worker', [14], { name: 'shift worker: middle of sleep, minutes after midnight', low: 480, high: 840, source: 'sleeps by day', measure: at(trait('mid_sleep_minute')) }),
  persona('statin-begun', [27, 28 + 7 * 8], { name: 'statin for 8 weeks: LDL, change in %', low: -50, high: -30, source: '−30 to −49 at moderate intensity (guidelines)', measure: change(result('ldl-cholesterol-calc'), inPercent) }),
  persona('type-1-diabetes', [14], { name: 'type 1 diabetes: A1c, %', low: 6.5, high: 11, source: 'mean 8.4 (T1D Exchange, 2019)', measure: at(result('hemoglobin-a1c')) }),
  persona('type-2-diabetes', [29, 30 + 7 * 12], { name: 'metformin for 12 weeks: A1c, change in points', low: -1.6, high: -0.7, source: '−1.12 (Hirst 2012)', measure: change(result('hemoglobin-a1c')) }),
]
