import type { World } from '../world/world.ts'

export interface Feature {
  /** A switch, or one of these words. */
  readonly kind: 'boolean' | readonly [string, ...string[]]
  readonly default: boolean | string
  readonly summary: string
  /** What has to be there besides, before it shows. */
  readonly needs?: string
}

/** What a team can have switched on or off. Source: contract/lab-testing.md, webhooks.md, wearables.md. */
export const features = {
  parity: {
    kind: ['sandbox', 'production'],
    default: 'sandbox',
    summary: 'In production the operations that only a sandbox has are missing.',
  },
  contract_form: {
    kind: ['spec', 'live'],
    default: 'spec',
    summary:
      'Whether answers and events take the form of the specification where it differs from the live contract, or the form ' +
      'that generated clients know: `received.testkit.registered`, the country as it was sent, a report under review that is ' +
      '`started`, and a refused cancellation with `detail` alone.',
  },
  simulation: {
    kind: ['documented', 'live'],
    default: 'documented',
    summary: 'Whether a simulation walks the whole way, or only the step or two the live sandbox takes.',
  },
  partial_results_webhooks: {
    kind: 'boolean',
    default: false,
    summary: 'An update is sent for each batch of partial results.',
    needs: 'a scenario with partial results, such as `walk-in-partial-results`',
  },
  redraws: {
    kind: 'boolean',
    default: false,
    summary: 'Walk-in orders with missing results become available for a redraw.',
    needs:
      'a walk-in order whose results are missing by the fault of the laboratory, as in the scenario `walk-in-redraw`',
  },
  unmatched_results: {
    kind: 'boolean',
    default: true,
    summary: 'Results that fit no order wait in a queue to be reviewed.',
    needs: 'a result that fits no order: `POST /v3/unmatched_result_test`',
  },
  abn: {
    kind: 'boolean',
    default: false,
    summary: 'Orders can come with an advance beneficiary notice.',
    needs: 'an order with the billing type `commercial_insurance`',
  },
  psc_scheduling: {
    kind: 'boolean',
    default: true,
    summary: 'Appointments at patient service centers can be booked.',
    needs: 'a walk-in order at a laboratory with sites that can be booked (see above)',
  },
  psc_time_zones: {
    kind: 'boolean',
    default: false,
    summary: 'Appointment slots are told in the time zone of the site.',
    needs: 'a site outside of America/New_York, the time zone of the sandbox',
  },
  booking_before_requisition: {
    kind: 'boolean',
    default: false,
    summary: 'Appointments can be booked before the requisition is there, and are reserved until it is.',
    needs: 'a scenario that creates the requisition late, or `manual`',
  },
  physician_rule: {
    kind: ['enforced', 'grace'],
    default: 'enforced',
    summary: 'Whether an order that lacks the physician its account asks for is refused, or let pass.',
    needs: 'a lab account that asks for a physician, and an order without one',
  },
  phone_numbers: {
    kind: ['form', 'possible'],
    default: 'form',
    summary: 'Whether a phone number in an order only has to look like one, or to be one that can exist.',
  },
  minor_ordering: {
    kind: 'boolean',
    default: false,
    summary: 'Patients under 18 may be ordered for, with a medical proxy.',
    needs: '`medical_proxy`, in `patient_details` or in the demographics of the user',
  },
  lab_test_approval: {
    kind: ['at_once', 'after_review'],
    default: 'at_once',
    summary: 'Whether a new lab test can be ordered at once, or only after a day of review.',
    needs: 'a lab test made with `POST /v3/lab_tests`, and a day on the clock',
  },
  report_parser_limits: {
    kind: ['spec', 'live'],
    default: 'spec',
    summary: 'The longest lab report taken: 10 MiB as specified, or 30 MiB as the live service has it.',
  },
  insurance_needs_demographics: {
    kind: 'boolean',
    default: false,
    summary: 'Insurance is refused until the user has demographics.',
  },
  insurance_guarantor_rule: {
    kind: 'boolean',
    default: false,
    summary:
      'Insurance of somebody who is not the insured (`relationship` other than `Self`) needs a guarantor.',
  },
  sandbox_limits: {
    kind: 'boolean',
    default: false,
    summary: 'The quotas of the live sandbox hold, such as 50 users.',
  },
  bulk_operations: { kind: 'boolean', default: true, summary: 'Connections can be handled in bulk.' },
  human_review: {
    kind: 'boolean',
    default: true,
    summary: 'A lab report can be sent to human review.',
    needs: '`needs_human_review` in the call that creates the job',
  },
  idempotency_mismatch: {
    kind: ['conflict', 'replay'],
    default: 'conflict',
    summary: 'What an idempotency key brings that comes again with another body.',
    needs: 'the header `x-idempotency-key`',
  },
  appointment_created_events: {
    kind: 'boolean',
    default: true,
    summary: 'The first booking of an appointment sends created as well as updated.',
  },
  unknown_futures: {
    kind: 'boolean',
    default: false,
    summary: 'Answers carry fields and values that clients of today do not know.',
  },
  reject_duplicate_connection: {
    kind: 'boolean',
    default: false,
    summary: 'An account at a provider can be connected to one user only.',
    needs: 'two users who sign in to a provider with the same account name',
  },
  sunset: {
    kind: ['ignore', 'warn', 'enforce'],
    default: 'ignore',
    summary:
      'What a call of an operation whose end is announced, or with a deprecated parameter, brings, before and after that ' +
      'day: nothing, the headers `Deprecation` and `Sunset`, or 410. `enforce` also leaves deprecated fields out of answers, ' +
      'unless the contract requires them.',
    needs:
      'a call of an ungrouped timeseries, of a hypnogram, of `GET /v3/lab_tests`, with `cursor`, or an answer with ' +
      '`source.name`, `next`, `daily_movement` or `sleep_stream`',
  },
  push_historical_data: {
    kind: 'boolean',
    default: false,
    summary: 'The rows of a backfill are pushed before it is announced.',
    needs: 'a webhook endpoint, and a connection made afterwards',
  },
} as const satisfies Record<string, Feature>

export type FeatureName = keyof typeof features

export type Features = {
  readonly [Name in FeatureName]: (typeof features)[Name]['kind'] extends readonly (infer Word)[]
    ? Word
    : boolean
}

export const featureNames = Object.keys(features) as FeatureName[]

/** How a feature stands in a world. */
export const feature = <Name extends FeatureName>(world: World, name: Name): Features[Name] =>
  (world.settings().features[name] ?? features[name].default) as Features[Name]

/** How all features stand in a world. */
export const allFeatures = (world: World): Features =>
  Object.fromEntries(featureNames.map((name) => [name, feature(world, name)])) as unknown as Features
