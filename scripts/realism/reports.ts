import type { LocalPetri } from '../../src/index.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { address, type Known, patientOf } from './people.ts'
import { type Pair, share as shareOf } from './statistics.ts'

/** A line of a laboratory's report. */
export interface Line {
  readonly slug: string
  readonly value: number
  readonly type: string
  readonly result: string
  readonly interpretation: string
  readonly notes: string | null
  readonly min_range_value: number | null
  readonly max_range_value: number | null
  readonly reference_range: string | null
  readonly is_above_max_range: boolean | null
  readonly is_below_min_range: boolean | null
}

/** The numeric lines of one report by analyte. */
export interface Report {
  readonly orderId: string
  readonly person: Known
  readonly lines: ReadonlyMap<string, Line>
}

/** What is ordered: all that the report looks at. */
const orderCodes = [
  ...['lipid-panel', 'comp-metabolic-panel-14', 'cbc-with-differential-platelet', 'hemoglobin-a1c', 'tsh'],
  ...['t4-free', 't4-total', 't3-free', 'ferritin', 'iron-and-tibc', 'vitamin-d-25-hydroxy', 'vitamin-b12'],
  ...['methylmalonic-acid', 'crp-high-sensitivity', 'c-reactive-protein', 'sed-rate', 'testosterone-total'],
  ...['shbg', 'insulin', 'c-peptide', 'ggt', 'uric-acid', 'fsh-and-lh', 'psa-total-and-free'],
  ...[
    'albumin-creatinine-ratio-urine',
    'lipoprotein-a',
    'homocysteine',
    'dhea-sulfate',
    'igf-1',
    'hcg-beta-quantitative',
  ],
  ...['progesterone', 'estradiol', 'testosterone-free'],
]

interface MarkerPage {
  readonly markers: readonly { id: number; slug: string }[]
  readonly pages: number
}

/** The ids of the markers that are ordered. */
export async function findMarkers(petri: LocalPetri): Promise<number[]> {
  const ids = new Map<string, number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const path = `/v3/lab_tests/markers?lab_slug=labcorp&size=100&page=${page}`
    const found = await petri.call<MarkerPage>('GET', path)
    for (const { slug, id } of found.markers) ids.set(slug, id)
    pages = found.pages
  }
  return orderCodes.map((slug) => ids.get(slug) ?? missing(slug))
}

function missing(slug: string): never {
  throw new Error(`Labcorp has no marker ${slug}.`)
}

export async function placeOrder(
  petri: LocalPetri,
  person: Known,
  markerIds: readonly number[],
  scenario = 'manual',
): Promise<string> {
  const { order } = await petri.call<{ order: { id: string } }>(
    'POST',
    '/v3/order',
    {
      user_id: person.userId,
      order_set: { add_on: { marker_ids: markerIds } },
      collection_method: 'on_site_collection',
      patient_details: patientOf(person),
      patient_address: address,
    },
    { 'x-petri-scenario': scenario },
  )
  return order.id
}

export type Interpretation = 'normal' | 'abnormal' | 'critical'

/** Orders everything for a person, completes the order and reads the report. */
export async function reportOf(
  petri: LocalPetri,
  person: Known,
  markerIds: readonly number[],
  interpretation?: Interpretation,
): Promise<Report> {
  const orderId = await placeOrder(petri, person, markerIds)
  await petri.orders.move(orderId, {
    status: 'completed',
    force: true,
    ...(interpretation && { results: { interpretation } }),
  })
  return readReport(petri, person, orderId)
}

export async function readReport(petri: LocalPetri, person: Known, orderId: string): Promise<Report> {
  const { results } = await petri.call<{ results: Coded[] }>('GET', `/v3/order/${orderId}/result`)
  const lines = results.flatMap((line) => measured(line) ?? [])
  return { orderId, person, lines: new Map(lines.map((line) => [analyteOf(line), line])) }
}

/** A line with a number; one beyond what the method measures has that limit. */
function measured(line: Coded): Coded | undefined {
  if (line.type === 'numeric') return line
  const [, limit] = /^[<>]([\d.]+)$/.exec(line.result) ?? []
  return limit === undefined ? undefined : { ...line, value: Number(limit) }
}

interface Coded extends Line {
  readonly loinc: string | null
}

const byLoinc = new Map(
  [...createCatalogue().analytes().values()].map(({ slug, loinc }) => [loinc?.code, slug]),
)

const analyteOf = ({ loinc, slug }: Coded) => (loinc === null ? undefined : byLoinc.get(loinc)) ?? slug

/** The values of an analyte in all reports that have it. */
export const values = (reports: readonly Report[], slug: string): number[] =>
  reports.flatMap(({ lines }) => lines.get(slug)?.value ?? [])

export const pairs = (reports: readonly Report[], x: string, y: string): Pair[] =>
  reports.flatMap(({ lines }): Pair[] => {
    const [first, second] = [lines.get(x), lines.get(y)]
    return first && second ? [[first.value, second.value]] : []
  })

/** The share of values that pass a test. */
export const share = (reports: readonly Report[], slug: string, passes: (value: number) => boolean): number =>
  shareOf(values(reports, slug), passes)

export const women = (reports: readonly Report[], from = 0, to = Infinity): Report[] =>
  ofSex(reports, 'female', from, to)
export const men = (reports: readonly Report[], from = 0, to = Infinity): Report[] =>
  ofSex(reports, 'male', from, to)

const ofSex = (reports: readonly Report[], sex: Known['sex'], from: number, to: number) =>
  reports.filter(({ person }) => person.sex === sex && person.age >= from && person.age <= to)

/** Lines outside their range. */
export const flagged = ({ lines }: Report): [analyte: string, line: Line][] =>
  [...lines].filter(([, line]) => line.is_above_max_range || line.is_below_min_range)

/** A bound of a range such as `<90` is outside of it. Values beyond what is measured have no flags of their own. */
export function isWronglyFlagged(line: Line): boolean {
  if (line.type === 'range') return false
  const { value, min_range_value: low, max_range_value: high, reference_range: range } = line
  const isOpen = /^[<>](?!\s*(=|OR))/i.test(range ?? '')
  const isAbove = high !== null && (isOpen ? value >= high : value > high)
  const isBelow = low !== null && (isOpen ? value <= low : value < low)
  return (
    isAbove !== (line.is_above_max_range ?? false) ||
    isBelow !== (line.is_below_min_range ?? false) ||
    (line.interpretation === 'normal' && (isAbove || isBelow))
  )
}
