import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { offsetSeconds } from '../../kernel/local-day.ts'
import { makePhysician } from '../../kernel/people.ts'
import { DIGITS } from '../../kernel/random.ts'
import { yearsBetween } from '../../people/dates.ts'
import type { World } from '../../world/world.ts'
import { labAccounts } from '../lab-accounts/table.ts'
import { labOf, type OrderRow, orderMetadata } from '../orders/table.ts'
import type { Edition } from './plan.ts'
import type { Patient } from './ranges.ts'
import type { LabResultsRaw } from './schema.ts'
import { timesOf } from './times.ts'

type RawReport = Parsed<typeof LabResultsRaw>

const ADULT_AGE = 40

/** The patient on the day the sample was reported. */
export function patientOf(
  { patient_details: details }: OrderRow,
  { reportedAt }: Pick<Edition, 'reportedAt'>,
): Patient {
  const gender = details?.gender.toLowerCase()
  const sex = gender === 'male' || gender === 'female' ? gender : 'unknown'
  return { sex, age: details ? yearsBetween(details.dob, reportedAt) : ADULT_AGE }
}

/** The head of a report. Source: docs/contract/results.md. */
export function metadataOf(
  world: World,
  order: OrderRow,
  edition: Edition,
  times = timesOf(world, order),
): RawReport['metadata'] {
  const metadata = world.db.find(orderMetadata, order.id)
  const { patient_details: patient, physician } = order
  const clia = laboratoryOf(world, order)?.clia_number ?? null
  const account = metadata?.lab_account_id ? world.db.find(labAccounts, metadata.lab_account_id) : undefined
  return {
    age: patient ? String(patientOf(order, edition).age) : '',
    dob: patient ? patient.dob.slice(0, 10).split('-').toReversed().join('/') : '',
    'clia_#': clia,
    clia_number: clia,
    patient: patient ? [patient.first_name, patient.last_name].filter(Boolean).join(' ') : '',
    provider: physician && `${physician.first_name} ${physician.last_name}`,
    laboratory: order.lab_test.lab?.name ?? null,
    date_reported: toWire(times.reportedAt),
    date_collected: collectedOf(world, order, times),
    specimen_number: order.sample_id ?? '',
    date_received: metadata?.is_undated ? null : toWire(times.receivedAt),
    status: edition.status === 'partial' ? 'partial' : 'final',
    interpretation: order.interpretation ?? 'normal',
    patient_id: order.user_id,
    account_id: account?.provider_account_id ?? null,
  }
}

/** The wire instant of the draw; null where the sample does not say it. */
export const collectedOf = (
  world: World,
  order: OrderRow,
  { collectedAt } = timesOf(world, order),
): string | null => (world.db.find(orderMetadata, order.id)?.is_undated ? null : toWire(collectedAt))

/** The laboratory of an order, as the catalogue describes it. */
export const laboratoryOf = (world: World, order: OrderRow) =>
  world.services.catalogue.labs().get(labOf(order))

/** The made-up director of a laboratory. */
function directorOf({ random }: World, lab: string): string {
  const { first_name, last_name } = makePhysician(random, `director/${lab}`)
  return `${first_name} ${last_name}, MD`
}

/** The condition of a sample when it arrived. */
interface Condition {
  readonly isFasting: boolean
  /** The laboratory's remark on it. */
  readonly information: string | null
}

/** Data about an order's sample, by its id. */
export function sampleInformationOf(
  world: World,
  order: OrderRow,
  { isFasting, information }: Condition,
  times = timesOf(world, order),
): NonNullable<RawReport['sample_information']> {
  const metadata = world.db.find(orderMetadata, order.id)
  const lab = laboratoryOf(world, order)
  const stamp = (instant: number) => ({
    timestamp: toWire(instant),
    timezone_offset: offsetSeconds(times.zone, instant),
  })
  return {
    [order.sample_id ?? order.id]: {
      sample_id: order.sample_id,
      control_number: world.ids.letters(`control/${order.id}`, DIGITS, 11),
      date_collected: metadata?.is_undated ? null : stamp(times.collectedAt),
      date_received: metadata?.is_undated ? null : stamp(times.receivedAt),
      date_reported: stamp(times.reportedAt),
      performing_laboratories: lab
        ? {
            '01': {
              name: lab.name,
              phone_number: `+1800555${String(100 + (lab.id % 100)).padStart(4, '0')}`,
              medical_director: directorOf(world, lab.slug),
              address: {
                first_line: lab.first_line_address,
                second_line: null,
                country: 'US',
                zip: lab.zipcode,
                city: lab.city,
                state: lab.state,
                access_notes: null,
              },
            },
          }
        : null,
      clinical_information: {
        fasting: isFasting,
        notes: order.clinical_notes,
        information,
        total_volume: null,
      },
    },
  }
}
