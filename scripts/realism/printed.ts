import { type LocalPetri, startPetri } from '../../src/index.ts'
import { DAY_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { localDate } from '../../src/kernel/local-day.ts'
import { zoneOfZip } from '../../src/resources/areas/generated-sites.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import type { Size } from './people.ts'
import { type Row, section } from './section.ts'
import { median, share, shareOfMostFrequent } from './statistics.ts'

interface Stamp {
  readonly timestamp: string
  readonly timezone_offset: number
}

interface Order {
  readonly id: string
  readonly patient_details: { readonly phone_number: string }
  readonly patient_address: { readonly zip: string; readonly state: string }
  readonly physician: { readonly npi: string }
}

interface Line {
  readonly slug: string
  readonly provider_id: string
  readonly type: string
  readonly value: number
  readonly timestamp: string
  readonly interpretation: string
}

interface Paper {
  readonly results: readonly Line[]
  readonly sample_information: Readonly<
    Record<
      string,
      { readonly date_collected: Stamp; readonly date_received: Stamp; readonly date_reported: Stamp }
    >
  >
}

/** An order of a person without data, with what its report prints. */
interface Printed {
  readonly order: Order
  readonly zone: string
  readonly collected: number
  readonly received: number
  readonly results: readonly number[]
  readonly reported: number
  readonly offset: number
}

interface All {
  readonly walkIns: readonly Printed[]
  readonly kits: readonly Printed[]
}

const BEGINS = '2026-03-02T15:00:00Z'

/** Reports of orders that were placed one after the other, some hours apart. */
async function collectPrinted(scenario: string, count: number): Promise<Printed[]> {
  const petri = await startPetri({ seed: `printed ${scenario}`, now: BEGINS, frozen: true })
  try {
    const orders: Order[] = []
    for (let nth = 0; nth < count; nth++) {
      orders.push(await petri.call<Order>('POST', '/_petri/orders', { scenario }))
      await petri.clock.advance('5h')
    }
    await petri.clock.advance('30d')
    const printed: Printed[] = []
    for (const order of orders) printed.push(await read(petri, order))
    return printed
  } finally {
    await petri.close()
  }
}

async function read(petri: LocalPetri, order: Order): Promise<Printed> {
  const { results, sample_information } = await petri.call<Paper>('GET', `/v3/order/${order.id}/result`)
  const [sample] = Object.values(sample_information)
  if (!sample) throw new Error(`The report of ${order.id} has no sample.`)
  return {
    order,
    zone: zoneOfZip(order.patient_address.zip),
    collected: Date.parse(sample.date_collected.timestamp),
    received: Date.parse(sample.date_received.timestamp),
    reported: Date.parse(sample.date_reported.timestamp),
    results: results.map(({ timestamp }) => Date.parse(timestamp)),
    offset: sample.date_collected.timezone_offset,
  }
}

const isInOrder = ({ collected, received, results, reported }: Printed): boolean =>
  collected < received && results.every((at) => received < at && at <= reported)

const days = (all: readonly Printed[]) =>
  median(all.map(({ collected, reported }) => (reported - collected) / DAY_MS))

const isOnSunday = ({ zone, reported }: Printed): boolean =>
  new Date(localDate(zone, reported)).getUTCDay() === 0

const minuteOf = ({ reported }: Printed): number => Math.floor((reported % DAY_MS) / MINUTE_MS)

const both = ({ walkIns, kits }: All) => [...walkIns, ...kits]

const distinct = (all: All, what: (order: Order) => string) =>
  new Set(both(all).map(({ order }) => what(order))).size / both(all).length

// biome-ignore format: a table is read by its columns.
const printedRows: readonly Row<All>[] = [
  { name: 'reports with collected < received < each result ≤ reported, share', low: 1, source: 'what a laboratory does', measure: (all) => share(both(all), isInOrder) },
  { name: 'walk-in: days from the draw to the report, median', low: 1, high: 3, source: '1–2 (assumed)', measure: ({ walkIns }) => days(walkIns) },
  { name: 'kit: days from the prick to the report, median', low: 2, high: 5, source: '2–5 (assumed)', measure: ({ kits }) => days(kits) },
  { name: 'reports released on a Sunday, share', high: 0.05, source: 'assumed', measure: (all) => share(both(all), isOnSunday) },
  { name: 'largest share of one minute of the day of releases', high: 0.05, source: 'no clockwork', measure: (all) => shareOfMostFrequent(both(all).map(minuteOf)) },
  { name: 'largest share of one state of people without data', low: 0.06, high: 0.2, source: '11.9 % in California (Census 2020)', measure: (all) => shareOfMostFrequent(both(all).map(({ order }) => order.patient_address.state)) },
  { name: 'phone numbers by people without data', low: 0.95, source: 'everyone has a phone', measure: (all) => distinct(all, (order) => order.patient_details.phone_number) },
  { name: 'physicians by people without data', low: 0.3, source: 'assumed', measure: (all) => distinct(all, (order) => order.physician.npi) },
]

interface Asked {
  readonly interpretation: 'abnormal' | 'critical'
  /** The laboratory and code of each line beside it. */
  readonly lines: readonly (Line & { readonly key: string })[]
}

/** A world becomes slow with thousands of users. */
const SEEDS_A_WORLD = 10

/** Abnormal and critical reports of each bundled lab test, for half as many seeds as there are people. */
async function collectAsked({ people }: Size): Promise<Asked[]> {
  const all: Asked[] = []
  for (let done = 0; done < people / 2; done += SEEDS_A_WORLD)
    all.push(...(await askAll(`bounds ${done}`, Math.min(SEEDS_A_WORLD, people / 2 - done))))
  return all
}

async function askAll(seed: string, count: number): Promise<Asked[]> {
  const petri = await startPetri({ seed, now: BEGINS, frozen: true, scenario: 'manual' })
  try {
    const labTests = await petri.call<{ id: string; lab: { slug: string } }[]>('GET', '/v3/lab_tests')
    const all: Asked[] = []
    for (let nth = 0; nth < count; nth++) {
      for (const interpretation of ['abnormal', 'critical'] as const) {
        for (const { id, lab } of labTests) {
          const order = await petri.call<Order>('POST', '/_petri/orders', { lab_test_id: id })
          await petri.orders.move(order.id, { status: 'completed', force: true, results: { interpretation } })
          const { results } = await petri.call<Paper>('GET', `/v3/order/${order.id}/result`)
          const lines = results.map((line) => ({
            ...line,
            key: `${lab.slug}/${line.provider_id}/${line.slug}`,
          }))
          all.push({ interpretation, lines })
        }
      }
    }
    return all
  } finally {
    await petri.close()
  }
}

const analytes = new Map<string, AnalyteSeed>(
  [...createCatalogue().markers().values()].flatMap(({ lab, results }) =>
    results.map(({ slug, provider_id, analyte }) => [`${lab.slug}/${provider_id}/${slug}`, analyte] as const),
  ),
)

function isImpossible({ key, type, value }: Asked['lines'][number]): boolean {
  const { possible } = analytes.get(key) ?? {}
  return type === 'numeric' && possible !== undefined && (value < possible.low || value > possible.high)
}

const saysSo = ({ interpretation, lines }: Asked) =>
  lines.some((line) => line.interpretation === interpretation)

/** Critical lines that nobody phones, on reports that have one that is phoned. */
const unphoned = (all: readonly Asked[]) =>
  all.flatMap(({ lines }) => {
    const critical = lines.filter(({ interpretation }) => interpretation === 'critical')
    const isPhoned = ({ key }: Asked['lines'][number]) => analytes.get(key)?.critical !== undefined
    return critical.some(isPhoned) ? critical.filter((line) => !isPhoned(line)) : []
  })

// biome-ignore format: a table is read by its columns.
const askedRows: readonly Row<readonly Asked[]>[] = [
  { name: 'all lab tests: reports with a line of the interpretation asked for, share', low: 1, source: 'what the word says', measure: (all) => share(all, saysSo) },
  { name: 'all lab tests: values beyond what occurs', high: 0, source: 'bounds of each analyte (assumed)', measure: (all) => all.flatMap(({ lines }) => lines).filter(isImpossible).length },
  { name: 'all lab tests: critical lines that nobody phones beside one that is phoned', high: 0, source: 'cannot be', measure: (all) => unphoned(all).length },
]

export const printedSections = [
  section(
    'labs',
    'Reports as printed',
    async ({ people }): Promise<All> => {
      const count = Math.max(2, Math.round(people * 0.25))
      return {
        walkIns: await collectPrinted('walk-in-happy-path', count),
        kits: await collectPrinted('happy-path', count),
      }
    },
    printedRows,
  ),
  section('labs', 'Every bundled lab test', collectAsked, askedRows),
]
