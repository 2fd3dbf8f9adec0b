import type { LocalPetri } from '../../src/index.ts'
import { DAY_MS, toDate } from '../../src/kernel/instant.ts'
import type { UserTruth } from '../../src/page/responses.ts'
import { connectAll, type Known, type Size, withPersona } from './people.ts'
import { findMarkers, type Report, reportOf } from './reports.ts'
import { type Row, type Section, section } from './section.ts'
import { deviation, mean, median, share } from './statistics.ts'
import { MG_PER_MMOL, type Night, part } from './wearables.ts'

/** What is measured of a person on one day; means of the nights and days of the week before. */
interface Look {
  readonly report: Report
  /** The lowest of a night. */
  readonly heart: number
  readonly hrv: number
  /** Of the last night, degrees above the usual. */
  readonly temperature: number
  /** mg/dL, of a sensor. */
  readonly glucose: readonly number[]
  readonly truth: UserTruth
}

/** The looks at each person of a persona. */
type Followed = readonly (readonly Look[])[]

/** Looks at people who are a persona, on these days after its begin. */
const follow =
  (persona: string, days: readonly number[], provider?: string) =>
  (size: Size): Promise<Followed> =>
    withPersona(persona, part(size, 0.025), async ({ petri, people }) => {
      if (provider !== undefined) await connectAll({ petri, people }, provider)
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
  const dates = `start_date=${toDate(now - 7 * DAY_MS)}&end_date=${toDate(now - DAY_MS)}`
  const { sleep } = await petri.call<{ sleep: (Night & { temperature_delta: number | null })[] }>(
    'GET',
    `/v2/summary/sleep/${person.userId}?${dates}`,
  )
  const { groups } = await petri.call<{ groups: Record<string, { data: { value: number }[] }[]> }>(
    'GET',
    `/v2/timeseries/${person.userId}/glucose/grouped?${dates}`,
  )
  const samples = Object.values(groups).flatMap((group) => group.flatMap(({ data }) => data))
  const year = `from=${toDate(now - 700 * DAY_MS)}`
  return {
    report: await reportOf(petri, person, markers),
    heart: mean(sleep.flatMap(({ hr_lowest }) => hr_lowest ?? [])),
    hrv: mean(sleep.flatMap(({ average_hrv }) => average_hrv ?? [])),
    temperature:
      sleep.findLast(({ temperature_delta }) => temperature_delta !== null)?.temperature_delta ?? Number.NaN,
    glucose: samples.map(({ value }) => value * MG_PER_MMOL),
    truth: await petri.call('GET', `/_petri/users/${person.userId}/truth?${year}`),
  }
}

type Measure = (look: Look) => number

const resultOf =
  (slug: string): Measure =>
  ({ report }) =>
    report.lines.get(slug)?.value ?? Number.NaN

const traitOf =
  (trait: string): Measure =>
  ({ truth }) =>
    truth.traits[trait] ?? Number.NaN

const medianOf = (numbers: readonly number[]): number => median(numbers.filter(Number.isFinite))

/** The median of the first look. */
const at =
  (of: Measure) =>
  (followed: Followed): number =>
    medianOf(followed.flatMap(([look]) => (look ? [of(look)] : [])))

/** The median change from the first look to the second. */
const change =
  (of: Measure, by = (before: number, after: number) => after - before) =>
  (followed: Followed): number =>
    medianOf(followed.flatMap(([before, after]) => (before && after ? [by(of(before), of(after))] : [])))

/** The median of the second look. */
const second =
  (of: Measure) =>
  (followed: Followed): number =>
    medianOf(followed.flatMap(([, look]) => (look ? [of(look)] : [])))

const inPercent = (before: number, after: number): number => 100 * (after / before - 1)
const assumed = 'assumed'
const cycleDays: Measure = ({ truth }) => deviation(truth.cycles.map(({ days }) => days))
const inRange: Measure = ({ glucose }) => share(glucose, (value) => value >= 70 && value <= 180)
const sensorCv: Measure = ({ glucose }) => (100 * deviation(glucose)) / mean(glucose)

const personaSection = (
  persona: string,
  days: readonly number[],
  provider: string | undefined,
  rows: readonly Row<Followed>[],
): Section => section('personas', `Persona ${persona}`, follow(persona, days, provider), rows)

// biome-ignore format: a table is read by its columns.
export const personaSections: readonly Section[] = [
  personaSection('athlete', [14], 'oura', [
    { name: 'athlete: lowest heart rate of a night, bpm', low: 38, high: 50, source: `14 bpm below controls, below 30 at times (elite runners, 1997); the size is ${assumed}`, measure: at((look) => look.heart) },
    { name: 'athlete: HRV, ms', low: 75, high: 105, source: assumed, measure: at((look) => look.hrv) },
  ]),
  personaSection('atrial-fibrillation', [14], undefined, [
    { name: 'atrial fibrillation at 75: share of the time in %', low: 5, high: 20, source: 'median 10.4 in men, 7.8 in women (13,350 people, 2017)', measure: at(traitOf('fibrillation_burden')) },
  ]),
  personaSection('glp1-begun', [27, 28 + 7 * 68], undefined, [
    { name: 'GLP-1 for 68 weeks: BMI, change in %', low: -18, high: -12, source: '−14.9 (STEP 1, 2021)', measure: change(traitOf('body_mass_index'), inPercent) },
    { name: 'GLP-1 for 68 weeks: systolic pressure, change in mmHg', low: -9, high: -3, source: '−6.2 (STEP 1, 2021)', measure: change(traitOf('systolic')) },
    { name: 'GLP-1 for 68 weeks: triglycerides, change in %', low: -35, high: -10, source: '−22 (STEP 1, 2021)', measure: change(resultOf('triglycerides'), inPercent) },
    { name: 'GLP-1 for 68 weeks: insulin, change in %', low: -55, high: -5, source: `−30 (${assumed})`, measure: change(resultOf('insulin'), inPercent) },
    { name: 'GLP-1 for 68 weeks: ALT, change in %', low: -50, high: -5, source: `−30 (${assumed})`, measure: change(resultOf('alt'), inPercent) },
    { name: 'GLP-1 for 68 weeks: hs-CRP, change in %', low: -75, high: -25, source: '−53 (STEP 1, 2021)', measure: change(resultOf('crp-high-sensitivity'), inPercent) },
  ]),
  personaSection('hypothyroid-treated', [13, 14 + 7 * 6], undefined, [
    { name: 'levothyroxine for 6 weeks: TSH, change in %', low: -96, high: -70, source: '−92: from 57.6 to 4.7 mIU/L, stable after 3.5 weeks (Kohler 2014)', measure: change(resultOf('tsh'), inPercent) },
  ]),
  personaSection('iron-deficiency-treated', [20, 21 + 28], undefined, [
    { name: 'iron for 4 weeks: hemoglobin, change in g/dL', low: 0.9, high: 2.4, source: '+1 in 2 weeks, +2 in 3–4 (British Society of Gastroenterology)', measure: change(resultOf('hemoglobin')) },
  ]),
  personaSection('perimenopause', [14], undefined, [
    { name: 'perimenopause: cycles, sd within a person', low: 6.5, high: 14, source: 'three times that of 35–39 above 50 (Li 2023)', measure: at(cycleDays) },
    { name: 'perimenopause: FSH, IU/L', low: 20, source: 'medians of 13 at 45–49 and 52 at 50–54 (NHANES 1999–2023)', measure: at(resultOf('fsh')) },
  ]),
  personaSection('post-viral', [20, 26], 'oura', [
    { name: 'illness: heart rate of a night, change in bpm', low: 3, high: 10, source: '8.5 for each °C of fever (young men, as reported with Radin 2020)', measure: change((look) => look.heart) },
    { name: 'illness: HRV, change in %', low: -38, high: -12, source: assumed, measure: change((look) => look.hrv, inPercent) },
    { name: 'illness: temperature of a night, change in °C', low: 0.5, high: 1.5, source: assumed, measure: change((look) => look.temperature) },
  ]),
  personaSection('pregnancy', [27, 28 + 7 * 30], 'oura', [
    { name: 'pregnancy, week 30: hCG, mIU/mL', low: 2000, high: 60_000, source: '3,640–117,000 in weeks 25–40 (American Pregnancy Association)', measure: second(resultOf('hcg-beta-quantitative')) },
    { name: 'pregnancy, week 30: progesterone, ng/mL', low: 60, high: 250, source: '99–342 in the third trimester (Abbassi-Ghanavati 2009)', measure: second(resultOf('progesterone')) },
    { name: 'pregnancy, week 30: estradiol, pg/mL', low: 5000, high: 25_000, source: '6,137–34,600 in the third trimester (Abbassi-Ghanavati 2009)', measure: second(resultOf('estradiol')) },
    { name: 'pregnancy, week 30: FSH, IU/L', high: 1, source: 'suppressed', measure: second(resultOf('fsh')) },
    { name: 'pregnancy, week 30: creatinine, change in %', low: -35, high: -12, source: '.4–.9 beside .5–.9 mg/dL (Abbassi-Ghanavati 2009); .5 is assumed', measure: change(resultOf('creatinine'), inPercent) },
    { name: 'pregnancy, week 30: albumin, change in g/dL', low: -1.5, high: -0.6, source: '2.3–4.2 beside 4.1–5.3 (Abbassi-Ghanavati 2009)', measure: change(resultOf('albumin')) },
    { name: 'pregnancy, week 30: alkaline phosphatase, change in %', low: 25, high: 130, source: '38–229 beside 33–96 U/L (Abbassi-Ghanavati 2009)', measure: change(resultOf('alkaline-phosphatase'), inPercent) },
    { name: 'pregnancy, week 30: total cholesterol, change in %', low: 20, high: 65, source: '219–349 mg/dL (Abbassi-Ghanavati 2009)', measure: change(resultOf('cholesterol-total'), inPercent) },
    { name: 'pregnancy, week 30: triglycerides, change in %', low: 80, high: 230, source: '131–453 mg/dL (Abbassi-Ghanavati 2009)', measure: change(resultOf('triglycerides'), inPercent) },
    { name: 'pregnancy, week 30: T4, change in %', low: 25, high: 70, source: `+50 % (${assumed})`, measure: change(resultOf('t4-total'), inPercent) },
    { name: 'pregnancy, week 30: heart rate of a night, change in bpm', low: 7, high: 16, source: '.05 a day, 10.5 in 30 weeks (Rowan 2022)', measure: change((look) => look.heart) },
    { name: 'pregnancy, week 30: hemoglobin, change in g/dL', low: -2.2, high: -0.8, source: '−1.4 from the first to the third trimester (Churchill 2019)', measure: change(resultOf('hemoglobin')) },
  ]),
  personaSection('statin-begun', [27, 28 + 7 * 8], undefined, [
    { name: 'statin for 8 weeks: LDL, change in %', low: -50, high: -30, source: '−30 to −49 at moderate intensity (guidelines)', measure: change(resultOf('ldl-cholesterol-calc'), inPercent) },
  ]),
  personaSection('type-2-diabetes', [29, 30 + 7 * 12], 'dexcom_v3', [
    { name: 'type 2 diabetes: triglycerides, mg/dL', low: 110, high: 220, source: `150 (${assumed})`, measure: at(resultOf('triglycerides')) },
    { name: 'type 2 diabetes: HDL, mg/dL', low: 34, high: 52, source: `42 (${assumed})`, measure: at(resultOf('hdl-cholesterol')) },
    { name: 'type 2 diabetes: insulin, uIU/mL', low: 10, high: 26, source: `15 (${assumed})`, measure: at(resultOf('insulin')) },
    { name: 'metformin for 12 weeks: A1c, change in points', low: -1.6, high: -0.7, source: '−1.12 (Hirst 2012)', measure: change(resultOf('hemoglobin-a1c')) },
    { name: 'type 2 diabetes: glucose sensor, mg/dL', low: 145, high: 190, source: '208, sd 47, at an A1c of 9.1 (MOBILE, 2021)', measure: at(({ glucose }) => mean(glucose)) },
    { name: 'type 2 diabetes: glucose sensor, CV in %', low: 24, high: 36, source: assumed, measure: at(sensorCv) },
    { name: 'type 2 diabetes: glucose sensor, share 70–180', low: 0.5, high: 0.8, source: '.40, .62 after eight months with a sensor (MOBILE, 2021)', measure: at(inRange) },
  ]),
]
