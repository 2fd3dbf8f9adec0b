import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { codeAt, type LabProfile, menus } from './lab-profiles.ts'
import { aoeOf, asks, type LabSeed, labSlugs, type MarkerSeed, type ResultSeed } from './schema.ts'

/** An analyte that can be ordered alone, from the laboratories with these menus, or by these codes. */
export const OrderableSeed = unnamed(() =>
  z.strictObject({
    id: z.int().min(1).max(99_999),
    analyte: z.string(),
    /** The menus of `lab-profiles.json`, which say the codes, too; `central` for a row without codes. */
    menus: z.array(z.enum(menus)).optional(),
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

type OrderableRow = Parsed<typeof OrderableSeed>

/** An analyte that a laboratory sells alone. */
export interface Offer extends Pick<OrderableRow, 'analyte' | 'asks'> {
  readonly id: number
  readonly lab: LabSeed['slug']
  readonly code: string
}

/** What `orderables.json` says that each laboratory sells. */
export function offersIn(
  rows: Iterable<OrderableRow>,
  labs: ReadonlyMap<string, LabSeed>,
  profiles: ReadonlyMap<string, LabProfile>,
): Offer[] {
  const withMenus = [...profiles.values()].filter(({ orders }) => orders !== undefined)
  return [...rows].flatMap((row) => offersOf(row, labs, withMenus))
}

function offersOf(
  { id, codes, menus: on = Object.keys(codes).length > 0 ? [] : ['central'], without, ...row }: OrderableRow,
  labs: ReadonlyMap<string, LabSeed>,
  profiles: readonly LabProfile[],
): Offer[] {
  const offers: Offer[] = []
  const offer = (slug: string, code: string) => {
    const lab = labs.get(slug)
    if (lab) offers.push({ ...row, id: lab.id * LAB_IDS + id, lab: lab.slug, code })
  }
  for (const { lab, orders } of profiles) {
    if (orders && on.includes(orders.menu) && !without.includes(lab)) offer(lab, codeAt(orders.code, id))
  }
  for (const [lab, code] of Object.entries(codes)) offer(lab, code)
  return offers
}

/** An offer as a row of `results.json`. */
export const toResultSeed = ({ id, lab, code, analyte }: Offer): ResultSeed => ({
  id: RESULT_IDS + id,
  lab,
  analyte,
  provider_id: code,
  required: true,
})

/** An offer as a row of `markers.json`. */
export function toMarkerSeed({ id, lab, code, analyte, asks: asked }: Offer): MarkerSeed {
  return {
    id,
    lab,
    provider_id: code,
    analyte,
    type: 'biomarker',
    price: 'N/A',
    a_la_carte_enabled: true,
    is_orderable: true,
    is_insurable: true,
    reflex: [],
    aoe: aoeOf(asked),
  }
}
