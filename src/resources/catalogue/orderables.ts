import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { codeAt, type LabProfile, menus } from './lab-profiles.ts'
import { readSeeds } from './read-seeds.ts'
import { type LabSeed, labSlugs, type MarkerSeed, type ResultSeed } from './schema.ts'

const asks = ['fasting', 'collection_time', 'source', 'pregnancy'] as const
type Question = NonNullable<MarkerSeed['aoe']>['questions'][number]

/** An analyte that can be ordered alone, from the laboratories with these menus, or by these codes. */
export const OrderableSeed = unnamed(() =>
  z.strictObject({
    id: z.int().min(1).max(99_999),
    analyte: z.string(),
    /** The menus of `lab-profiles.json`, which say the codes, too. */
    menus: z.array(z.enum(menus)).default([]),
    /** Laboratories that do not sell it although they have the menu. */
    without: z.array(z.enum(labSlugs)).default([]),
    /** Order codes of others by laboratory. */
    codes: z.partialRecord(z.enum(labSlugs), z.string()).default({}),
    /** The questions asked with an order. */
    asks: z.array(z.enum(asks)).optional(),
  }),
)

/** Ids of markers: the laboratory's id in units of 100,000 plus the id of the row. Results have a range of their own. */
const LAB_IDS = 100_000
const RESULT_IDS = 50_000_000

export interface Orderables {
  readonly markers: readonly MarkerSeed[]
  readonly results: readonly ResultSeed[]
}

/** The markers and results of `orderables.json`, expanded to rows of the other seed files. */
export function readOrderables(
  folders: readonly string[],
  labs: ReadonlyMap<string, LabSeed>,
  profiles: ReadonlyMap<string, LabProfile>,
): Orderables {
  const rows = readSeeds(folders, 'orderables.json', OrderableSeed, ({ id }) => String(id))
  const all = [...rows.values()].flatMap((row) => offersOf(row, labs, profiles))
  return {
    markers: all.map((offer) => toMarkerSeed(offer)),
    results: all.map(({ id, lab, code, analyte }) => ({
      id: RESULT_IDS + id,
      lab,
      analyte,
      provider_id: code,
      required: true,
    })),
  }
}

type OrderableRow = Parsed<typeof OrderableSeed>

interface Offer extends Pick<OrderableRow, 'analyte' | 'asks'> {
  readonly id: number
  readonly lab: LabSeed['slug']
  readonly code: string
}

function offersOf(
  { id, codes, menus: on, without, ...row }: OrderableRow,
  labs: ReadonlyMap<string, LabSeed>,
  profiles: ReadonlyMap<string, LabProfile>,
): Offer[] {
  const byMenu = [...profiles.values()].flatMap(({ lab, orders }) =>
    orders && on.includes(orders.menu) && !without.includes(lab)
      ? [[lab, codeAt(orders.code, id)] as const]
      : [],
  )
  return [...byMenu, ...Object.entries(codes)].flatMap(([slug, code]) => {
    const lab = labs.get(slug)
    return lab ? [{ ...row, id: lab.id * LAB_IDS + id, lab: lab.slug, code }] : []
  })
}

/** Days, by the id, so that they differ. */
const MIN_DAYS = 2
const SPREAD = 4
const LATER = 3

function toMarkerSeed({ id, lab, code, analyte, asks: asked }: Offer): MarkerSeed {
  const common_tat_days = MIN_DAYS + (id % SPREAD)
  return {
    id,
    lab,
    provider_id: code,
    analyte,
    type: 'biomarker',
    price: 'N/A',
    a_la_carte_enabled: true,
    common_tat_days,
    worst_case_tat_days: common_tat_days + LATER,
    is_orderable: true,
    is_insurable: true,
    reflex: [],
    aoe: asked && { questions: asked.map((about) => questions[about]) },
  }
}

const open = { required: false, sequence: 1, answers: [], constraint: null, default: null }
const yesOrNo = [
  { id: 1, code: 'N', value: 'No' },
  { id: 2, code: 'Y', value: 'Yes' },
]

/** Questions by name. None is required: an order without answers is accepted. */
const questions: Readonly<Record<(typeof asks)[number], Question>> = {
  fasting: { ...open, id: 1, code: 'FSTING', value: 'FASTING', type: 'choice', answers: yesOrNo },
  collection_time: {
    ...open,
    id: 2,
    code: 'COLTIM',
    value: 'COLLECTION TIME',
    type: 'text',
    constraint: 'HHMM',
  },
  source: { ...open, id: 3, code: 'SOURCE', value: 'SPECIMEN SOURCE', type: 'text' },
  pregnancy: { ...open, id: 4, code: 'PREG', value: 'PREGNANT', type: 'choice', answers: yesOrNo },
}
