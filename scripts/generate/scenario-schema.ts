import * as z from 'zod'
import type { LazySchema } from '../../src/api/schema.ts'
import { collectionMethods } from '../../src/resources/catalogue/schema.ts'
import { dotted, lowStatuses, topStatusOf, workflowsOf } from '../../src/resources/orders/lifecycle.ts'

/** What the fields of scenario files mean, with an example each; editors show it. */
const fields: Readonly<Record<string, readonly [description: string, example: unknown]>> = {
  name: ['Lower-case letters, digits and hyphens; the name of the file.', 'stuck-then-contaminated'],
  summary: ['What happens, in one sentence.', 'The kit is delayed on its way to the customer.'],
  kind: ['The kind of scenario; one of orders has none.', 'feed'],
  method: ['How the sample is collected.', 'testkit'],
  match: ['Selects this scenario for orders.', { zip: '00199' }],
  zip: ['Selects this scenario for every order to this ZIP code: 00100 to 00499.', '00199'],
  steps: ['What happens, one after the other.', [{ after: '1h', status: 'requisition_created' }]],
  after: ['Time since the previous step, in scenario time; for a fault, the calls before it.', '1d12h'],
  at: [
    'The step happens at the start of the appointment; in a finding, the time since its history began.',
    'appointment',
  ],
  before: ['The step happens before the start of the appointment, by the time in "by".', 'appointment'],
  by: ['How long before the appointment; for a feed, the factor of a change.', '2h'],
  status: ['The status that the order gets, or of the events that a rule is for.', 'transit_lab'],
  status_detail: ['The reason, for statuses that have one.', 'sample_contaminated'],
  force: ['Sets the status although the lifecycle does not have the move.', true],
  in_parts: [
    'Results of tests that take two days longer than the others come later, after partial_results.',
    true,
  ],
  only: ['Applies the step to one kind of kits: registered when ordered, or later.', 'registered_kit'],
  await: ['Waits until the customer has done this.', 'registration'],
  appointment: ['What happens to the appointment.', 'no_show'],
  patient: ['Who registers the kit; the rest is that of the user.', { first_name: 'Ada' }],
  first_name: ['First name.', 'Ada'],
  last_name: ['Last name.', 'Example'],
  dob: ['Date of birth.', '1985-12-10'],
  gender: ['Gender, which decides reference ranges.', 'female'],
  phone_number: ['Phone number.', '+16025550100'],
  email: ['E-mail address.', 'ada@example.com'],
  shipment: ['Fields of the shipment; the others are made up.', { outbound_courier: 'usps' }],
  outbound_courier: ['The courier to the customer.', 'usps'],
  inbound_courier: ['The courier to the laboratory.', 'usps'],
  outbound_tracking_number: ['The tracking number to the customer.', '9400100000000000000001'],
  inbound_tracking_number: ['The tracking number to the laboratory.', '9400100000000000000002'],
  notes: ['Notes of the shipment.', 'left at the door'],
  results: ['What the laboratory reports with the status.', { interpretation: 'abnormal' }],
  interpretation: ['The interpretation of all results.', 'abnormal'],
  missing: ['Names of results that do not come, or true for some.', ['ferritin']],
  types: ['The kinds of values.', ['numeric']],
  values: ['Exact values by slug, LOINC code or code of the laboratory.', { ferritin: 7 }],
  comment: ['A comment of the laboratory.', 'Repeat in four weeks.'],
  pdf: ['The path of a PDF, relative to this file.', 'report.pdf'],
  webhook_faults: [
    'Webhook faults of all events of the order, or a list of rules.',
    [{ event: 'completed', delay: '30h' }],
  ],
  event: ['An event type, or the status of the event; in a finding, the number of an event.', 'completed'],
  occurrence: ['Only the first (1), second (2), … of the matching events.', 1],
  duplicate: ['Delivers each message this many extra times; for a feed, how long data come twice.', 1],
  reorder: ['Collects this many messages and sends them in reverse order; true is 2.', true],
  delay: ['Waits before the first attempt.', '30h'],
  drop_first: ['Loses the first attempts of each message.', 2],
  bad_signature: ['Signs another body; a receiver must reject it.', true],
  stale_timestamp: ['Signs a timestamp ten minutes old; a receiver must reject it.', true],
  burst: ['Collects this many messages, then sends them all.', 5],
  respell: ['Sends the same JSON with other spacing, escapes and key order.', true],
  faults: [
    'Faults of calls about the order.',
    [{ operation: 'GET /v3/order/{order_id}', times: 1, drop: 'reset' }],
  ],
  operation: ['The id or route of an operation.', 'GET /v3/order/{order_id}'],
  times: ['For this many calls.', 1],
  rate: ['For this share of the calls.', 0.5],
  respond: ['Responds with this, and does nothing else.', { status: 503 }],
  detail: ['The detail of the response.', 'Try again.'],
  body: ['The whole body of the response, instead of `detail`.', '<h1>502 Bad Gateway</h1>'],
  headers: ['Headers of the response.', { 'retry-after': '5' }],
  latency: ['Delays the response.', '200ms'],
  min: ['The least.', '100ms'],
  max: ['The most.', '2s'],
  drop: ['How the connection breaks.', 'reset'],
  workdays: [
    'Couriers, laboratories and phlebotomists act during their hours, Monday to Saturday, except on US federal holidays.',
    true,
  ],
  seed: ['The seed of the world.', 'a'],
  now: ['When the history begins.', '2026-01-05T09:00:00Z'],
  registrable: ['Whether the kit is registered later.', true],
  features: ['Features of the world.', { redraws: true }],
  bodies: ['How bodies are spelled.', 'spaced'],
  orders: ['The orders of the history.', []],
  actions: ['What somebody does in the history.', [{ at: '1h', register: 1 }]],
  user: ['The number of the user.', 1],
  register: ['The number of the order that is registered.', 1],
  cancel: ['The number of the order that is cancelled.', 1],
  resend: ['The number of the order whose message is resent.', 1],
  receiver: ['How the receiver fails.', 'down'],
  for: ['For how long.', '6h'],
  connect: ['The provider that the user connects.', 'oura'],
  break: ['The provider whose connection breaks.', 'oura'],
  error: ['The error of the connection.', 'token_refresh_failed'],
  data: ['The timeseries of a sample.', 'steps'],
  provider: ['The provider of the sample.', 'oura'],
  day: ['The day of the sample, from that of the action.', -1],
  value: ['The value of the sample.', 4000],
  unmatched: ['The case of an unmatched result.', 'wrong_name'],
  gap: ['No data are recorded for this long.', '2d'],
  outage: ['The provider brings nothing for this long, then everything.', '1d'],
  change: ['Values are multiplied for this long.', '1d'],
  incomplete: ['Data come with a share of their values first, for this long.', '1d'],
  second_source: ['A second source records for this long.', '2d'],
  time_zone: ['The time zone from here on.', 'America/New_York'],
  skip_days: ['The share of days without data.', 0.3],
  worn: ['How long a day the device is worn.', '8h'],
  reconnect: ['The user connects again.', true],
  disconnect: ['The connection ends; in a finding, that of this provider.', true],
  pause: ['The provider sends nothing until the user connects again.', true],
  history: [
    'Another history than that of the provider, for consents from here on.',
    { takes: '6h', comes: 'daily' },
  ],
  takes: ['How long the pull of the history takes.', '6h'],
  comes: ['How the history comes: as its own events or as those of days.', 'daily'],
  ingestion_end: ['The day on which ingestion ends, from that of the action.', 7],
  look: ['The user looks at the program under test.', true],
  device: ['The device from here on.', { device_model: 'Ring 4' }],
  sample: ['One sample.', { resource: 'weight', value: 71.5 }],
  correct: ['Replaces fields of a summary.', { resource: 'sleep', day: -1, values: { score: 61 } }],
  trim: ['Cuts time off a night or workout.', { resource: 'sleep', day: -1, start: '20m' }],
  merge: ['Joins the first two nights or workouts of a day.', { resource: 'workouts', day: 0 }],
  delete: ['Takes a summary away.', { resource: 'workouts', day: -1 }],
  start: ['The time that goes at the start.', '20m'],
  end: ['The time that goes at the end.', '30m'],
  of: ['Only these timeseries.', ['heartrate']],
  arrives: ['How long after that the data come.', '36h'],
  source_type: ['The type of the source.', 'watch'],
  message: ['The message of the error.', 'Token expired.'],
  app_id: ['The id of the app.', 'com.example.app'],
  device_manufacturer: ['The manufacturer.', 'Example'],
  device_model: ['The model.', 'Ring 4'],
  device_version: ['The version.', '1.2'],
  device_id: ['The id of the device.', 'd-1'],
  resource: ['The name of the timeseries.', 'weight'],
  type: ['The type of the sample.', 'manual'],
  lasts: ['How long it lasts.', '30m'],
}

/** Names of the kinds of steps, by the field that tells them. */
const stepTitles: Readonly<Record<string, string>> = {
  await: 'Wait for the customer',
  appointment: 'Event of the appointment',
  status: 'Status of the order',
}

type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Adds descriptions, examples and names of steps to a schema and all in it. */
function describe(schema: unknown): void {
  if (!isSchema(schema)) return
  const { properties, required } = schema
  if (isSchema(properties)) {
    for (const [name, field] of Object.entries(properties)) {
      const [description, example] = fields[name] ?? []
      if (!isSchema(field) || description === undefined) continue
      field.description ??= description
      field.examples ??= [example]
    }
    const told = Object.keys(stepTitles).find((name) => Array.isArray(required) && required.includes(name))
    if (told && ('after' in properties || told === 'await')) schema.title = stepTitles[told]
  }
  for (const inner of Object.values(schema)) describe(inner)
}

/** The statuses and workflows of a method, which depend on a field above them. */
const ofMethod = (method: (typeof collectionMethods)[number]) => {
  const lows = lowStatuses.filter((low) => topStatusOf(method, low))
  const statuses = [...lows, ...lows.map((low) => dotted(method, low))]
  const items = { properties: { status: { enum: statuses }, only: { enum: workflowsOf(method) } } }
  return {
    if: { properties: { method: { const: method } }, required: ['method'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
    then: { properties: { steps: { items } } },
  }
}

/** The JSON schema of a kind of scenario files, as editors use it. */
export function scenarioSchema(title: string, file: LazySchema, hasMethods = false): string {
  const schema = z.toJSONSchema(file(), { io: 'input', unrepresentable: 'any' })
  describe(schema)
  const more = hasMethods ? { allOf: collectionMethods.map(ofMethod) } : {}
  return `${JSON.stringify({ title, ...schema, ...more }, null, 2)}\n`
}
