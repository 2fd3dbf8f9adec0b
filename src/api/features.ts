import { entriesOf, keysOf, withoutUndefined } from '../kernel/fields.ts'
import { notFound } from '../kernel/problem.ts'
import { histories, type TeamKind } from '../world/choices.ts'
import type { World } from '../world/world.ts'

export interface Feature {
  /** A boolean, or a choice of words. */
  readonly kind: 'boolean' | readonly [string, ...string[]]
  readonly default: boolean | string
  readonly summary: string
  /** A precondition of its effect. */
  readonly needs?: string
}

const toggle = (initially: boolean) => (summary: string, needs?: string) =>
  withoutUndefined({
    kind: 'boolean' as const,
    default: initially,
    summary,
    needs,
  })
const on = toggle(true)
const off = toggle(false)

/** A choice of words; the first is the default. */
const choice = <const Words extends readonly [string, ...string[]]>(
  kind: Words,
  summary: string,
  needs?: string,
) => withoutUndefined({ kind, default: kind[0], summary, needs })

/** Features that can be switched for a team. Source: docs/contract/README.md. */
export const features = {
  parity: choice(
    ['sandbox', 'production'],
    'Which operations exist: `production` does not have those that only a sandbox has.',
  ),
  contract_form: choice(
    ['spec', 'live'],
    'The form of responses and events if the specification and the live contract differ. `live` is what generated ' +
      'clients know: `received.testkit.registered`, the country of a kit as sent, and `started` for a report under ' +
      'review. If the live service fails on an invalid order, so does Petri.',
  ),
  simulation: choice(
    ['documented', 'live'],
    'How a simulated order goes: to the requested status by legal steps, or as recorded from the live sandbox, ' +
      'including the plain 500 for a cancelled kit.',
  ),
  partial_results_webhooks: off(
    'Sends an update for each batch of partial results.',
    'a scenario with partial results, such as `walk-in-partial-results`',
  ),
  redraws: off(
    'Offers a redraw for walk-in orders with missing results.',
    'a walk-in order whose results are missing by the fault of the laboratory, as in the scenario `walk-in-redraw`',
  ),
  unmatched_results: on(
    'Puts results that match no order into a queue for review.',
    'a result that matches no order: `POST /v3/unmatched_result_test`',
  ),
  abn: off(
    'Adds an advance beneficiary notice to orders that need one.',
    'an order with the billing type `commercial_insurance`',
  ),
  psc_scheduling: on(
    'Allows appointments at patient service centers.',
    'a walk-in order at a laboratory with sites that can be booked (see above)',
  ),
  working_hours: off(
    'Couriers, laboratories and phlebotomists act during their hours, Monday to Saturday except US federal holidays.',
    'a scenario with `workdays: true`, such as all bundled ones, while scenario time passes with the clock',
  ),
  psc_time_zones: off(
    'Appointment slots are in the time zone of the site.',
    'a site outside of America/New_York, the time zone of the sandbox',
  ),
  arizona_scheduling: choice(
    ['as_elsewhere', 'by_laboratory'],
    'Who keeps the calendar of sites of Quest in Arizona. The laboratory confirms later, and nothing can be cancelled or ' +
      'moved through the API.',
    'a site of Quest in Arizona',
  ),
  booking_before_requisition: off(
    'Allows bookings before the requisition exists; they are reserved until it does.',
    'a scenario that creates the requisition late, or `manual`',
  ),
  physician_rule: choice(
    ['enforced', 'grace'],
    'What happens to an order without the physician that its lab account requires: refused, or accepted for now.',
    'a lab account that requires a physician, and an order without one',
  ),
  phone_numbers: choice(
    ['form', 'possible'],
    'How phone numbers in orders are checked: by their form, or also by whether such a number can exist.',
  ),
  minor_ordering: off(
    'Allows orders for patients under 18 with a medical proxy.',
    '`medical_proxy`, in `patient_details` or in the demographics of the user',
  ),
  lab_test_approval: choice(
    ['at_once', 'after_review'],
    'When a new lab test can be ordered: at once, or after a day of review.',
    'a lab test made with `POST /v3/lab_tests`, and a day on the clock',
  ),
  order_lab_account: off(
    'Shows `lab_account_id` in orders, as clients since 3.0 know it; recorded orders lack it.',
    'an order placed afterwards',
  ),
  approxdraw: on('Gives the tubes that a lab test needs at home, at all laboratories except Labcorp.'),
  approxdraw_labcorp: on('Gives the tubes that a lab test of Labcorp needs at home.'),
  report_parser_limits: choice(
    ['spec', 'live'],
    'The largest accepted lab report: 10 MiB as specified, or 30 MiB as in the live service.',
  ),
  insurance_needs_demographics: off('Refuses insurance until the user has demographics.'),
  insurance_guarantor_rule: off(
    'Requires a guarantor if the patient is not the insured (`relationship` other than `Self`).',
  ),
  adopt_users: off(
    'Creates a user with an unknown `user_id` when a call names it, for programs with a copy of a database.',
    'a call with a `user_id` that was never issued; `--adopt-users` switches it on at the start',
  ),
  sandbox_limits: off(
    'Enforces the quotas of the live sandbox: 50 users, demo users for 7 days, and 7 days of time series a request.',
  ),
  bulk_operations: on('Allows bulk operations on connections.'),
  human_review: on(
    'Allows human review of lab reports.',
    '`needs_human_review` in the call that creates the job',
  ),
  idempotency_mismatch: choice(
    ['conflict', 'replay'],
    'The response to a repeated idempotency key with a different body: a conflict, or the first response again.',
    'the header `x-idempotency-key`',
  ),
  visit_confirmation: choice(
    ['pending', 'at_once'],
    'What a booked visit at home shows: `pending` although its time is set, as in the live sandbox, or `confirmed` ' +
      'without the status `appointment_pending` before.',
    'an at-home order with an appointment',
  ),
  appointment_created_events: on(
    'Sends a created event, as well as an updated one, for the first booking of an appointment.',
  ),
  journal_bodies: on(
    'Keeps the bodies of requests and responses in the journal of calls. Without them it knows no ignored fields of bodies.',
  ),
  unknown_futures: off('Adds fields and values to responses that current clients do not know.'),
  sparse: off(
    'Sends null in every field of responses and events that may be null, except cursors and what a user is linked with.',
  ),
  order_transactions: on('Allows reading order transactions and their results.'),
  home_visits: choice(
    ['everywhere', 'sandbox'],
    'Where visits at home can be booked: wherever a provider serves the ZIP code, or in 85004 and 54650 only, as in the ' +
      'live sandbox.',
  ),
  reject_duplicate_connection: off(
    'Refuses to connect an account at a provider to a second user.',
    'two users who sign in to a provider with the same account name',
  ),
  mobile_environment: choice(
    ['by_port_and_key', 'local-eu', 'stg-us', 'stg-eu', 'dev-us', 'dev-eu', 'prd-us', 'prd-eu'],
    'The environment in sign-in tokens, from which mobile SDKs derive the hosts they call. On port 8000 it is ' +
      '`local-eu`, which the iOS simulator reaches without a proxy, otherwise that of the API key.',
  ),
  sunset: choice(
    ['ignore', 'warn', 'enforce'],
    'How deprecated operations and parameters behave: as usual, with the headers `Deprecation` and `Sunset`, or with 410 ' +
      'after their sunset date. `enforce` also removes deprecated fields from responses, unless the contract requires them.',
    'a call of an ungrouped timeseries, of a hypnogram, of `GET /v3/lab_tests`, with `cursor`, or a response with ' +
      '`source.name`, `next`, `daily_movement` or `sleep_stream`',
  ),
  history: choice(
    histories,
    'How much history a new connection pulls: that of its provider, at most three days, or none. Less history makes ' +
      'other tests faster.',
    'a connection made afterwards; the option `history` of a new world sets it',
  ),
  push_historical_data: off(
    'Pushes the rows of a backfill before the backfill is announced.',
    'a webhook endpoint, and a connection made afterwards',
  ),
} as const satisfies Record<string, Feature>

export type FeatureName = keyof typeof features

export type Features = {
  readonly [Name in FeatureName]: (typeof features)[Name]['kind'] extends readonly (infer Word)[]
    ? Word
    : boolean
}

/** What standard teams of the live service have in place of a default, and its source; or why they have the default. */
type LiveValue<Value> = { readonly why: string } & { readonly [Kind in TeamKind]?: Value }

const LATER = 'for teams that ask for it (published)'
const USUAL = 'as recorded'
const OWN = 'Petri only'

const inBoth = <const Value>(value: Value, why: string) => ({ sandbox: value, production: value, why })
const inSandbox = <const Value>(value: Value, why: string) => ({ sandbox: value, why })
const inProduction = <const Value>(value: Value, why: string) => ({ production: value, why })

export const liveFeatures: { readonly [Name in FeatureName]: LiveValue<Features[Name]> } = {
  parity: inProduction('production', 'operations that only a sandbox has (published)'),
  contract_form: inBoth('live', 'the public OpenAPI document'),
  simulation: inSandbox('live', 'recorded; production has no simulation'),
  partial_results_webhooks: { why: LATER },
  redraws: { why: LATER },
  unmatched_results: { why: 'assumed' },
  abn: { why: LATER },
  psc_scheduling: { why: USUAL },
  working_hours: inBoth(true, 'people work by day; the hours are assumed'),
  psc_time_zones: inProduction(true, 'the sandbox documents America/New_York (published)'),
  arizona_scheduling: inBoth('by_laboratory', 'the scheduling guide (published)'),
  booking_before_requisition: { why: LATER },
  physician_rule: { why: 'published' },
  phone_numbers: inBoth('possible', USUAL),
  minor_ordering: { why: LATER },
  lab_test_approval: { why: 'assumed: a review of a day would delay each test of yours' },
  order_lab_account: { why: 'recorded orders lack it' },
  approxdraw: { why: USUAL },
  approxdraw_labcorp: { why: USUAL },
  report_parser_limits: inBoth('live', 'published'),
  insurance_needs_demographics: inBoth(true, 'the guide to insurance, August 2026 (published)'),
  insurance_guarantor_rule: inBoth(true, 'published'),
  adopt_users: { why: OWN },
  sandbox_limits: inSandbox(true, 'published; the 400 of a longer window is recorded'),
  bulk_operations: { why: 'published' },
  human_review: { why: 'published' },
  idempotency_mismatch: inBoth('replay', 'published'),
  visit_confirmation: { why: USUAL },
  appointment_created_events: inBoth(false, 'recorded: the first booking sends an update only'),
  journal_bodies: { why: OWN },
  unknown_futures: { why: OWN },
  sparse: { why: OWN },
  order_transactions: inSandbox(false, 'recorded as 403'),
  home_visits: inSandbox('sandbox', USUAL),
  reject_duplicate_connection: { why: LATER },
  mobile_environment: { why: 'follows from the port and the key' },
  sunset: { why: 'the dates are in the future' },
  history: { why: 'published, for each provider' },
  push_historical_data: { why: LATER },
}

const featuresLike = (kind: TeamKind): Partial<Features> =>
  Object.fromEntries(
    entriesOf<Readonly<Record<string, LiveValue<unknown>>>>(liveFeatures).flatMap(([name, live]) =>
      live[kind] === undefined ? [] : [[name, live[kind]]],
    ),
  )

interface TeamProfile {
  /** The default scenario of orders. */
  readonly scenario?: string
  readonly pace?: number
  readonly features: Partial<Features>
}

/** What a standard team of the live service has instead of Petri's defaults. Source: docs/contract/README.md. */
export const teamProfiles: Readonly<Record<TeamKind, TeamProfile>> = {
  sandbox: { scenario: 'manual', features: featuresLike('sandbox') },
  production: { pace: 1, features: featuresLike('production') },
}

export const featureNames = keysOf(features)

/** The value of a feature in a world: as set, else as in the team that the world is like, else the default. */
export function feature<Name extends FeatureName>(
  world: Pick<World, 'settings'>,
  name: Name,
): Features[Name] {
  const { features: given, like } = world.settings()
  return (given[name] ??
    (like && teamProfiles[like].features[name]) ??
    features[name].default) as Features[Name]
}

/** The values of all features in a world. */
export const allFeatures = (world: Pick<World, 'settings'>): Features =>
  Object.fromEntries(featureNames.map((name) => [name, feature(world, name)])) as unknown as Features

/** Refuses a call that only sandboxes have, where the world is like a production team. */
export function assertSandbox(world: World): void {
  if (feature(world, 'parity') === 'production') throw notFound('Not Found')
}
