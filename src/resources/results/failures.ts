import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed, LabTestSeed } from '../catalogue/schema.ts'
import { formulas } from './derived.ts'
import type { failureTypes } from './schema.ts'

type Specimen = LabTestSeed['sample_type']
type Failure = (typeof failureTypes)[number]

interface Reason {
  readonly type: Failure
  readonly note: string
}

const atLab: Reason = { type: 'internal_lab_failure', note: 'Laboratory accident' }
const tooLittle: Reason = { type: 'quantity_not_sufficient_failure', note: 'Quantity not sufficient' }
const smallVolume: Reason = { type: 'insufficient_volume', note: 'Sample volume too small' }
/** The remark on a sample whose red cells have burst. */
const HEMOLYZED = 'Sample hemolyzed'
const collected = (note: string): Reason => ({ type: 'collection_process_failure', note })

/** Why a specimen gives no result. Only whole blood clots, and a dried spot cannot be spilled. */
const reasons: Readonly<Record<Specimen | 'whole_blood', readonly [Reason, ...Reason[]]>> = {
  whole_blood: [tooLittle, atLab, smallVolume, collected('Sample clotted')],
  serum: [tooLittle, atLab, smallVolume, collected(HEMOLYZED)],
  dried_blood_spot: [
    tooLittle,
    atLab,
    collected('Spots not saturated'),
    collected('Spots layered or smeared'),
  ],
  arm_collector: [tooLittle, atLab, smallVolume, collected('Device not filled to the mark')],
  saliva: [tooLittle, atLab, smallVolume, collected('Sample contaminated with food')],
  urine: [tooLittle, atLab, smallVolume, collected('Sample leaked in transit')],
  stool: [tooLittle, atLab, collected('Sample leaked in transit')],
}

/** The specimen and test of a missing result. */
export interface MissingSpecimen {
  readonly random: Random
  readonly key: string
  readonly specimen: string | null | undefined
}

const NOT_CALCULATED = 'Cannot be calculated'

/** Why a result is missing; a calculated one lacks its inputs. */
export function failureOf(
  { slug, category }: AnalyteSeed,
  { random, key, specimen }: MissingSpecimen,
): Reason {
  if (formulas[slug]) return { type: 'missing_result_calc_failure', note: NOT_CALCULATED }
  const reason = random.pick(`${key}/failure`, reasons[specimenOf(category, specimen)])
  return reason.note === HEMOLYZED && !inRedCells.has(slug) ? tooLittle : reason
}

/** What leaks from burst red cells, so that laboratories withhold it. Source: Lippi and others, 2008. */
const inRedCells: ReadonlySet<string> = new Set([
  'potassium',
  'ast',
  'ldh',
  'magnesium',
  'phosphorus',
  'iron',
  'folate',
  'creatine-kinase-total',
  'bilirubin-direct',
])

/** The laboratory's remark on a sample some of whose results are missing. */
export function remarkOn(
  missing: readonly { readonly name: string; readonly note: string | null }[],
): string | null {
  const notes = [...new Set(missing.map(({ note }) => note ?? ''))].filter((note) => note !== NOT_CALCULATED)
  const remarks = notes.map((note) => {
    const names = missing.filter((each) => each.note === note).map(({ name }) => name)
    return `${note}; not performed: ${names.join(', ')}.`
  })
  return remarks.length > 0 ? remarks.join(' ') : null
}

/** The specimen of an analyte: whole blood for blood counts and clotting, urine for urine tests, otherwise that of the lab test. */
function specimenOf(category: string, specimen: MissingSpecimen['specimen']): keyof typeof reasons {
  if (category === 'urine') return 'urine'
  if (specimen === 'serum' && (category === 'blood_count' || category === 'coagulation')) return 'whole_blood'
  return specimen && specimen in reasons ? (specimen as Specimen) : 'serum'
}
