import type { World } from '../world/world.ts'

export interface Feature {
  /** A boolean, or a choice of words. */
  readonly kind: 'boolean' | readonly [string, ...string[]]
  readonly default: boolean | string
  readonly summary: string
  /** A precondition of its effect. */
  readonly needs?: string
}

const toggle = (initially: boolean) => (summary: string, needs?: string) => ({
  kind: 'boolean' as const,
  default: initially,
  summary,
  ...(needs !== undefined && { needs }),
})
const on = toggle(true)
const off = toggle(false)

/** A choice of words; the first is the default. */
const choice = <const Words extends readonly [string, ...string[]]>(
  kind: Words,
  summary: string,
  needs?: string,
) => ({ kind, default: kind[0], summary, ...(needs !== undefined && { needs }) })

/** Features that can be switched for a team. Source: contract/lab-testing.md, webhooks.md, wearables.md. */
export const features = {
  parity: choice(
    ['sandbox', 'production'],
    'In production the operations that only a sandbox has are missing.',
  ),
  contract_form: choice(
    ['spec', 'live'],
    'Whether answers and events take the form of the specification where it differs from the live contract, or the form ' +
      'that generated clients know: `received.testkit.registered`, the country as it was sent, a report under review that is ' +
      '`started`, and a refused cancellation with `detail` alone.',
  ),
  simulation: choice(
    ['documented', 'live'],
    'Whether a simulation walks the whole way, or only the step or two the live sandbox takes.',
  ),
  partial_results_webhooks: off(
    'An update is sent for each batch of partial results.',
    'a scenario with partial results, such as `walk-in-partial-results`',
  ),
  redraws: off(
    'Walk-in orders with missing results become available for a redraw.',
    'a walk-in order whose results are missing by the fault of the laboratory, as in the scenario `walk-in-redraw`',
  ),
  unmatched_results: on(
    'Results that fit no order wait in a queue to be reviewed.',
    'a result that fits no order: `POST /v3/unmatched_result_test`',
  ),
  abn: off(
    'Orders can come with an advance beneficiary notice.',
    'an order with the billing type `commercial_insurance`',
  ),
  psc_scheduling: on(
    'Appointments at patient service centers can be booked.',
    'a walk-in order at a laboratory with sites that can be booked (see above)',
  ),
  psc_time_zones: off(
    'Appointment slots are in the time zone of the site.',
    'a site outside of America/New_York, the time zone of the sandbox',
  ),
  booking_before_requisition: off(
    'Appointments can be booked before the requisition is there, and are reserved until it is.',
    'a scenario that creates the requisition late, or `manual`',
  ),
  physician_rule: choice(
    ['enforced', 'grace'],
    'Whether an order that lacks the physician its account asks for is refused, or let pass.',
    'a lab account that asks for a physician, and an order without one',
  ),
  phone_numbers: choice(
    ['form', 'possible'],
    'Whether a phone number in an order only has to look like one, or to be one that can exist.',
  ),
  minor_ordering: off(
    'Patients under 18 may be ordered for, with a medical proxy.',
    '`medical_proxy`, in `patient_details` or in the demographics of the user',
  ),
  lab_test_approval: choice(
    ['at_once', 'after_review'],
    'Whether a new lab test can be ordered at once, or only after a day of review.',
    'a lab test made with `POST /v3/lab_tests`, and a day on the clock',
  ),
  report_parser_limits: choice(
    ['spec', 'live'],
    'The longest lab report taken: 10 MiB as specified, or 30 MiB as the live service has it.',
  ),
  insurance_needs_demographics: off('Insurance is refused until the user has demographics.'),
  insurance_guarantor_rule: off(
    'Insurance of somebody who is not the insured (`relationship` other than `Self`) needs a guarantor.',
  ),
  sandbox_limits: off('The quotas of the live sandbox hold, such as 50 users.'),
  bulk_operations: on('Connections can be handled in bulk.'),
  human_review: on(
    'A lab report can be sent to human review.',
    '`needs_human_review` in the call that creates the job',
  ),
  idempotency_mismatch: choice(
    ['conflict', 'replay'],
    'What an idempotency key brings that comes again with another body.',
    'the header `x-idempotency-key`',
  ),
  appointment_created_events: on('The first booking of an appointment sends created as well as updated.'),
  unknown_futures: off('Answers carry fields and values that clients of today do not know.'),
  reject_duplicate_connection: off(
    'An account at a provider can be connected to one user only.',
    'two users who sign in to a provider with the same account name',
  ),
  sunset: choice(
    ['ignore', 'warn', 'enforce'],
    'What a call of an operation whose end is announced, or with a deprecated parameter, brings, before and after that ' +
      'day: nothing, the headers `Deprecation` and `Sunset`, or 410. `enforce` also leaves deprecated fields out of answers, ' +
      'unless the contract requires them.',
    'a call of an ungrouped timeseries, of a hypnogram, of `GET /v3/lab_tests`, with `cursor`, or an answer with ' +
      '`source.name`, `next`, `daily_movement` or `sleep_stream`',
  ),
  push_historical_data: off(
    'The rows of a backfill are pushed before it is announced.',
    'a webhook endpoint, and a connection made afterwards',
  ),
} as const satisfies Record<string, Feature>

export type FeatureName = keyof typeof features

export type Features = {
  readonly [Name in FeatureName]: (typeof features)[Name]['kind'] extends readonly (infer Word)[]
    ? Word
    : boolean
}

export const featureNames = Object.keys(features) as FeatureName[]

/** The value of a feature in a world. */
export const feature = <Name extends FeatureName>(world: World, name: Name): Features[Name] =>
  (world.settings().features[name] ?? features[name].default) as Features[Name]

/** The values of all features in a world. */
export const allFeatures = (world: World): Features =>
  Object.fromEntries(featureNames.map((name) => [name, feature(world, name)])) as unknown as Features
