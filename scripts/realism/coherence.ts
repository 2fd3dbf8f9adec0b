import type { LocalPetri } from '../../src/index.ts'
import type { UserTruth } from '../../src/page/responses.ts'
import { pagesOf } from '../../test/support/pdf-text.ts'
import { connectAll, type Known, type Size, withPeople } from './people.ts'
import { findMarkers, flagged, type Line, type Report, reportOf } from './reports.ts'
import { type Row, type Section, section } from './section.ts'
import { mean, type Pair, rho, share } from './statistics.ts'
import { type Body, MG_PER_MMOL, part, samples, summaries } from './wearables.ts'

interface Profile {
  readonly sex: string | null
  readonly gender: string | null
  readonly birth_date: string | null
  readonly height: number
}

/** All that is known of one person. */
interface Whole {
  readonly person: Known
  readonly profiles: readonly Profile[]
  readonly report: Report
  /** The texts of its PDF. */
  readonly printed: ReadonlySet<string>
  readonly truth: Pick<UserTruth, 'race' | 'ethnicity'>
  /** Means of a month. */
  readonly bmi: number
  readonly systolic: number
  readonly glucose: number
  readonly age: number
}

const providers = ['fitbit', 'oura', 'withings', 'dexcom_v3']

const collect = (size: Size): Promise<Whole[]> =>
  withPeople(part(size, 0.5), 0, async (population) => {
    const { petri, people } = population
    for (const provider of providers) await connectAll(population, provider)
    const markers = await findMarkers(petri)
    const all: Whole[] = []
    for (const person of people) {
      const profiles: Profile[] = []
      for (const provider of ['fitbit', 'oura'])
        profiles.push(await petri.call('GET', `/v2/summary/profile/${person.userId}?provider=${provider}`))
      const body = await summaries<Body>(population, person, 'body', 30, 'withings')
      const pressures = await samples(population, person, 'blood_pressure', 30)
      const sugars = await samples(population, person, 'glucose', 10)
      const metres = mean(profiles.map(({ height }) => height)) / 100
      const report = await reportOf(petri, person, markers)
      all.push({
        person,
        profiles,
        truth: await petri.call('GET', `/_petri/users/${person.userId}/truth`),
        report,
        printed: await printedOf(petri, report),
        bmi: mean(body.flatMap(({ weight }) => weight ?? [])) / metres ** 2,
        systolic: mean(pressures.map(({ systolic }) => systolic)),
        glucose: mean(sugars.map(({ value }) => value)) * MG_PER_MMOL,
        age: person.age,
      })
    }
    return all
  })

async function printedOf(petri: LocalPetri, { orderId }: Report): Promise<Whole['printed']> {
  const response = await petri.fetch(`/v3/order/${orderId}/result/pdf`)
  return new Set(pagesOf(Buffer.from(await response.arrayBuffer())).flat())
}

/** The number of people with a result that their PDF does not show. */
const missingInPdf = (all: readonly Whole[]): number =>
  all.filter(({ report, printed }) => [...report.lines.values()].some(({ result }) => !printed.has(result)))
    .length

type Trait = 'bmi' | 'systolic' | 'glucose' | 'age'

/** Spearman's rho of a trait that devices measure and an analyte. */
const withAnalyte = (trait: Trait, slug: string) => (all: readonly Whole[]) =>
  rho(all.flatMap((whole): Pair[] => known(whole[trait], whole.report.lines.get(slug)?.value)))

const withTrait = (one: Trait, other: Trait) => (all: readonly Whole[]) =>
  rho(all.flatMap((whole): Pair[] => known(whole[one], whole[other])))

const known = (x: number, y = Number.NaN): Pair[] =>
  Number.isFinite(x) && Number.isFinite(y) ? [[x, y]] : []

/** The number of people for whom a profile disagrees with what is known. */
const disagreeing = (differs: (profile: Profile, person: Known) => boolean) => (all: readonly Whole[]) =>
  all.filter(({ person, profiles }) => profiles.some((profile) => differs(profile, person))).length

const wrongFlags = (all: readonly Whole[]) =>
  all.flatMap(({ report }) => [...report.lines.values()]).filter(isWronglyFlagged).length

/** A bound of a range such as `<90` is outside of it. Values beyond what is measured have no flags of their own. */
function isWronglyFlagged(line: Line): boolean {
  if (line.type === 'range') return false
  const { value, min_range_value: low, max_range_value: high, reference_range: range } = line
  const isOpen = /^[<>](?!\s*(=|OR))/i.test(range ?? '')
  const isAbove = high !== null && (isOpen ? value >= high : value > high)
  const isBelow = low !== null && (isOpen ? value <= low : value < low)
  const isOut = isAbove || isBelow
  return (
    isAbove !== (line.is_above_max_range ?? false) ||
    isBelow !== (line.is_below_min_range ?? false) ||
    (line.interpretation === 'normal' && isOut)
  )
}

const assumed = 'assumed'
const nhanes = 'NHANES 2017–18'

// biome-ignore format: a table is read by its columns.
const rows: readonly Row<readonly Whole[]>[] = [
  { name: 'people whose profile has another sex', high: 0, source: 'one person', measure: disagreeing(({ sex }, person) => sex !== person.sex) },
  { name: 'people whose profile has another birth date', high: 0, source: 'one person', measure: disagreeing(({ birth_date }, person) => birth_date !== null && birth_date !== person.birthDate) },
  { name: 'people with a result that is not in their PDF', high: 0, source: 'one report', measure: missingInPdf },
  { name: 'lines with a wrong flag', high: 0, source: 'the range beside them', measure: wrongFlags },
  { name: 'lines out of range by report, mean', low: 1, high: 12, source: assumed, measure: (all) => mean(all.map(({ report }) => flagged(report).length)) },
  { name: 'Hispanic, share', low: 0.11, high: 0.26, source: '18.7 % (Census 2020)', measure: (all) => share(all, ({ truth }) => truth.ethnicity === 'hispanic') },
  { name: 'White, share', low: 0.52, high: 0.71, source: '61.6 % (Census 2020)', measure: (all) => share(all, ({ truth }) => truth.race === 'white_caucasian') },
  { name: 'Black, share', low: 0.06, high: 0.19, source: '12.4 % (Census 2020)', measure: (all) => share(all, ({ truth }) => truth.race === 'african_american_or_black') },
  { name: 'Asian, share', low: 0.02, high: 0.11, source: '6 % (Census 2020)', measure: (all) => share(all, ({ truth }) => truth.race === 'asian') },
  { name: 'rho glucose sensor ~ A1c', low: 0.45, source: `.7–.9 with diabetes, less without (${assumed})`, measure: withAnalyte('glucose', 'hemoglobin-a1c') },
  { name: 'rho BMI ~ triglycerides', low: 0.12, high: 0.5, source: `.33 (${nhanes})`, measure: withAnalyte('bmi', 'triglycerides') },
  { name: 'rho BMI ~ HDL', low: -0.5, high: -0.12, source: `−.35 (${nhanes})`, measure: withAnalyte('bmi', 'hdl-cholesterol') },
  { name: 'rho BMI ~ hs-CRP', low: 0.2, high: 0.6, source: `.48 (${nhanes}); .33 (8,745 men without diabetes, METSIM 2017)`, measure: withAnalyte('bmi', 'crp-high-sensitivity') },
  { name: 'rho BMI ~ insulin', low: 0.25, high: 0.7, source: `.63 (${nhanes})`, measure: withAnalyte('bmi', 'insulin') },
  { name: 'rho BMI ~ A1c', low: 0.1, high: 0.45, source: `.27 (${nhanes})`, measure: withAnalyte('bmi', 'hemoglobin-a1c') },
  { name: 'rho BMI ~ systolic pressure', low: 0.1, high: 0.45, source: `.21 (${nhanes})`, measure: withTrait('bmi', 'systolic') },
  { name: 'rho age ~ systolic pressure', low: 0.25, high: 0.65, source: `.45 (${nhanes})`, measure: withTrait('age', 'systolic') },
  { name: 'rho age ~ A1c', low: 0.2, high: 0.6, source: `.48 (${nhanes})`, measure: withAnalyte('age', 'hemoglobin-a1c') },
  { name: 'rho age ~ eGFR', low: -0.9, high: -0.5, source: `−.70 (${nhanes})`, measure: withAnalyte('age', 'egfr') },
]

export const coherenceSections: readonly Section[] = [section('coherence', 'One person', collect, rows)]
