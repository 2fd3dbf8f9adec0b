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
const collected = (note: string): Reason => ({ type: 'collection_process_failure', note })

/** Why a specimen gives no result. Only whole blood clots, and a dried spot cannot be spilled. */
const reasons: Readonly<Record<Specimen | 'whole_blood', readonly [Reason, ...Reason[]]>> = {
  whole_blood: [tooLittle, atLab, smallVolume, collected('Sample clotted')],
  serum: [tooLittle, atLab, smallVolume, collected('Sample hemolyzed')],
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

/** Why a result is missing; a calculated one lacks its inputs. */
export function failureOf(
  { slug, category }: AnalyteSeed,
  { random, key, specimen }: MissingSpecimen,
): Reason {
  if (formulas[slug]) return { type: 'missing_result_calc_failure', note: 'Cannot be calculated' }
  return random.pick(`${key}/failure`, reasons[specimenOf(category, specimen)])
}

/** The specimen of an analyte: whole blood for blood counts and clotting, urine for urine tests, otherwise that of the lab test. */
function specimenOf(category: string, specimen: MissingSpecimen['specimen']): keyof typeof reasons {
  if (category === 'urine') return 'urine'
  if (specimen === 'serum' && (category === 'blood_count' || category === 'coagulation')) return 'whole_blood'
  return specimen && specimen in reasons ? (specimen as Specimen) : 'serum'
}
