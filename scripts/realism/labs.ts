import { type LocalPetri, startPetri } from '../../src/index.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { groupBy } from '../../src/kernel/list.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { type Size, withPeople } from './people.ts'
import {
  findMarkers,
  flagged,
  type Interpretation,
  isWronglyFlagged,
  men,
  pairs,
  type Report,
  reportOf,
  share,
  values,
  women,
} from './reports.ts'
import { type Row, type Section, section } from './section.ts'
import { largest, mean, median, type Pair, rho, share as shareOf } from './statistics.ts'

/** One report of each person. */
const reportsOf = ({ people: count }: Size, interpretation?: Interpretation): Promise<Report[]> =>
  withPeople(count, 0, async ({ petri, people }) => {
    const markers = await findMarkers(petri)
    const reports: Report[] = []
    for (const person of people) reports.push(await reportOf(petri, person, markers, interpretation))
    return reports
  })

const nhanes = 'NHANES 2017–18'
const identity = 'an identity, except for rounding'

/** The furthest that a sum misses 0. */
const furthest = (compute: (value: (slug: string) => number) => number) => (all: readonly Report[]) =>
  largest(all.map(({ lines }) => Math.abs(compute((slug) => lines.get(slug)?.value ?? 0))))

const byAge = (reports: readonly Report[], slug: string): Pair[] =>
  reports.flatMap(({ person, lines }): Pair[] => {
    const line = lines.get(slug)
    return line ? [[person.age, line.value]] : []
  })

/** Without a chosen interpretation: what a laboratory finds in a population of adults. */
// biome-ignore format: a table is read by its columns.
const natural: readonly Row<readonly Report[]>[] = [
  { name: 'total cholesterol, mean mg/dL', low: 178, high: 202, source: '190.9 (NHANES 2013–16)', measure: (all) => mean(values(all, 'cholesterol-total')) },
  { name: 'A1c ≥ 6.5, share', low: 0.06, high: 0.16, source: 'diabetes 15.8 % (NHANES 2021–23), some of it treated below 6.5', measure: (all) => share(all, 'hemoglobin-a1c', (value) => value >= 6.5) },
  { name: 'rho glucose ~ age', low: 0.15, high: 0.5, source: `.34 (${nhanes})`, measure: (all) => rho(byAge(all, 'glucose')) },
  { name: 'eGFR < 60, share', low: 0.03, high: 0.11, source: `6.0 % (${nhanes}); 7.4 % (NHANES 2011–14)`, measure: (all) => share(all, 'egfr', (value) => value < 60) },
  { name: 'vitamin D < 20, share', low: 0.15, high: 0.36, source: '33 % (NHANES 2001–06); 23 % (NHANES 2011–14)', measure: (all) => share(all, 'vitamin-d-25-hydroxy', (value) => value < 20) },
  { name: 'hs-CRP > 3, share', low: 0.22, high: 0.4, source: '32 % (NHANES 2007–10)', measure: (all) => share(all, 'crp-high-sensitivity', (value) => value > 3) },
  { name: 'ferritin of women 20–49, median ng/mL', low: 26, high: 55, source: '34–47 by age (NHANES 1999–2023)', measure: (all) => median(values(women(all, 20, 49), 'ferritin')) },
  { name: 'hemoglobin, men − women, g/dL', low: 1, high: 2.1, source: `1.6 (${nhanes})`, measure: (all) => mean(values(men(all), 'hemoglobin')) - mean(values(women(all), 'hemoglobin')) },
  { name: 'PSA of men 60–79, median ng/mL', low: 1, high: 2, source: '1.2–2.1 (NHANES 2001–10)', measure: (all) => median(values(men(all, 60, 79), 'psa-total')) },
  { name: 'lipoprotein(a) ≥ 125 nmol/L, share', low: 0.12, high: 0.26, source: 'about 20 % (531,144 people)', measure: (all) => share(all, 'lipoprotein-a', (value) => value >= 125) },
  { name: 'rho HDL ~ triglycerides', low: -0.62, high: -0.3, source: `−.52 (${nhanes})`, measure: (all) => rho(pairs(all, 'hdl-cholesterol', 'triglycerides')) },
  { name: 'total cholesterol − HDL − LDL − VLDL, furthest from 0', high: 1, source: identity, measure: furthest((of) => of('cholesterol-total') - of('hdl-cholesterol') - of('ldl-cholesterol-calc') - of('vldl-cholesterol-calc')) },
  { name: 'differential count − 100 %, furthest from 0', high: 1, source: identity, measure: furthest((of) => of('neutrophils') + of('lymphocytes') + of('monocytes') + of('eosinophils') + of('basophils') - 100) },
  { name: 'protein − albumin − globulin, furthest from 0', high: 0.051, source: identity, measure: furthest((of) => of('protein-total') - of('albumin') - of('globulin-total')) },
  { name: 'TIBC − UIBC − iron, furthest from 0', high: 1, source: identity, measure: furthest((of) => of('tibc') - of('uibc') - of('iron')) },
  { name: 'MCV − hematocrit / red cells, furthest from 0', high: 1, source: identity, measure: furthest((of) => of('mcv') - (of('hematocrit') / of('rbc')) * 10) },
  { name: 'lines with a wrong flag', high: 0, source: 'the range next to them', measure: (all) => all.flatMap(({ lines }) => [...lines.values()]).filter(isWronglyFlagged).length },
]

interface Asked {
  readonly normal: readonly Report[]
  readonly abnormal: readonly Report[]
  readonly critical: readonly Report[]
}

const collectAsked = async (size: Size): Promise<Asked> => ({
  normal: await reportsOf(size, 'normal'),
  abnormal: await reportsOf(size, 'abnormal'),
  critical: await reportsOf(size, 'critical'),
})

const meaning = 'what the word says'
const never = 'cannot be'

/** The number of abnormal and critical reports that pass a test. */
const countOf =
  (test: (report: Report) => boolean) =>
  ({ abnormal, critical }: Asked): number =>
    [...abnormal, ...critical].filter(test).length

// biome-ignore format: a table is read by its columns.
const asked: readonly Row<Asked>[] = [
  { name: 'normal: lines out of range', high: 0, source: meaning, measure: ({ normal }) => normal.flatMap(flagged).length },
  { name: 'abnormal: reports with a line out of range, share', low: 1, source: meaning, measure: ({ abnormal }) => shareOf(abnormal, (report) => flagged(report).length > 0) },
  { name: 'critical: reports with a critical line, share', low: 1, source: meaning, measure: ({ critical }) => shareOf(critical, ({ lines }) => [...lines.values()].some(({ interpretation }) => interpretation === 'critical')) },
  { name: 'anion gap below 0 or above 40, reports', high: 0, source: never, measure: countOf((report) => anionGap(report).some((gap) => gap < 0 || gap > 40)) },
  { name: 'AST > 500 with ALT < 60, reports', high: 0, source: never, measure: countOf((report) => over(report, 'ast', 500) && under(report, 'alt', 60)) },
  { name: 'creatinine > 6 with BUN < 25, reports', high: 0, source: never, measure: countOf((report) => over(report, 'creatinine', 6) && under(report, 'bun', 25)) },
  { name: 'glucose > 350 with A1c < 6, reports', high: 0, source: never, measure: countOf((report) => over(report, 'glucose', 350) && under(report, 'hemoglobin-a1c', 6)) },
  { name: 'hemoglobin < 7 with hematocrit > 30, reports', high: 0, source: never, measure: countOf((report) => under(report, 'hemoglobin', 7) && over(report, 'hematocrit', 30)) },
]

const over = ({ lines }: Report, slug: string, limit: number) => (lines.get(slug)?.value ?? -Infinity) > limit
const under = ({ lines }: Report, slug: string, limit: number) => (lines.get(slug)?.value ?? Infinity) < limit

/** Sodium less chloride and bicarbonate. */
const anionGap = ({ lines }: Report): number[] => {
  const gap = ['chloride', 'carbon-dioxide-total'].reduce(
    (rest, slug) => rest - (lines.get(slug)?.value ?? Number.NaN),
    lines.get('sodium')?.value ?? Number.NaN,
  )
  return Number.isNaN(gap) ? [] : [gap]
}

interface Line {
  readonly slug: string
  readonly provider_id: string
  readonly type: string
  readonly value: number
}

/** How many of a laboratory's tests are ordered. */
const MOST_MARKERS = 40

/** The lines of abnormal and critical reports of what each laboratory sells. */
async function collectBounds(): Promise<ReadonlyMap<string, readonly Line[]>> {
  const petri = await startPetri({ seed: 'bounds', frozen: true, scenario: 'manual' })
  try {
    const byLab = new Map<string, readonly Line[]>()
    for (const [slug, { method, marker_ids }] of sold) {
      const body = { name: slug, description: '', method, marker_ids }
      const { id } = await petri.call<{ id: string }>('POST', '/v3/lab_tests', body)
      byLab.set(slug, [...(await linesOf(petri, id, 'abnormal')), ...(await linesOf(petri, id, 'critical'))])
    }
    return byLab
  } finally {
    await petri.close()
  }
}

/** The report of a woman, whom every laboratory accepts. */
async function linesOf(petri: LocalPetri, lab_test_id: string, interpretation: Interpretation) {
  const { user_id } = await petri.call<{ user_id: string }>('POST', '/_petri/users', { persona: 'leap-day' })
  const order = { user_id, lab_test_id }
  const { id } = await petri.call<{ id: string }>('POST', '/_petri/orders', order)
  await petri.orders.move(id, { status: 'completed', force: true, results: { interpretation } })
  return (await petri.call<{ results: Line[] }>('GET', `/v3/order/${id}/result`)).results
}

const catalogue = createCatalogue()
/** What is ordered from each laboratory. */
const sold = new Map(
  [...groupBy(catalogue.markers().values(), ({ lab }) => lab)].map(
    ([{ slug, collection_methods }, markers]) => {
      const orderable = markers.filter(
        ({ is_orderable, isReflex, aoe }) =>
          is_orderable && !isReflex && !aoe?.questions.some(({ required }) => required),
      )
      const marker_ids = orderable.slice(0, MOST_MARKERS).map(({ id }) => id)
      return [slug, { method: collection_methods[0], marker_ids }] as const
    },
  ),
)
const analytes = new Map<string, AnalyteSeed>(
  [...catalogue.markers().values()].flatMap(({ lab, results }) =>
    results.map(({ slug, provider_id, analyte }) => [`${lab.slug}/${provider_id}/${slug}`, analyte] as const),
  ),
)

const isImpossible = (lab: string, { provider_id, slug, type, value }: Line): boolean => {
  const { possible } = analytes.get(`${lab}/${provider_id}/${slug}`) ?? {}
  return type === 'numeric' && possible !== undefined && (value < possible.low || value > possible.high)
}

const bounds = [...sold.keys()].map(
  (lab): Row<ReadonlyMap<string, readonly Line[]>> => ({
    name: `${lab}: lines with values that occur, share`,
    low: 1,
    source: never,
    measure: (all) => shareOf(all.get(lab) ?? [], (line) => !isImpossible(lab, line)),
  }),
)

export const labSections: readonly Section[] = [
  section('labs', 'Results without a chosen interpretation', reportsOf, natural),
  section('labs', 'Normal, abnormal and critical results', collectAsked, asked),
  section('labs', 'Every laboratory', collectBounds, bounds),
]
