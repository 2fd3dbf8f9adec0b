import { defaults } from '../../src/defaults.ts'
import { createPetri } from '../../src/petri.ts'
import { eventTypeNames } from '../../src/resources/event-types.ts'
import { findSeries } from '../../src/resources/timeseries/catalogue.ts'
import { organisationId } from '../../src/world/organisation.ts'
import { firstWorld } from '../first-world.ts'

const KEY = 'sk_us_petri'
const ADDRESS = { state: 'AZ', zip: '85004', country: 'US', first_line: '1 Example Street', city: 'Phoenix' }
const NAME = { first_name: 'Ada', last_name: 'Example' }

/** One type of each family of events, with the object it is about. */
const families = {
  'labtest.order.created': 'order',
  'labtest.appointment.created': 'visit',
  'labtest.result.critical': 'order',
  'labtest.order_tracking.updated': 'order',
  'labtest.match_review.created': 'unmatched result',
  'lab_report.parsing_job.created': 'parsing job',
  'checkout.quote.created': 'quote',
  'checkout.session.created': 'session',
  'provider.connection.created': 'connection',
  'provider.device.created': 'connection',
  'historical.data.sleep.created': 'connection',
  'daily.data.sleep.created': 'connection',
  'daily.data.heartrate.created': 'connection',
  'continuous_query.result_table.changed': 'user',
} as const

/** `docs/evidence/payloads.md`: a webhook's body for each family of events, sent by a Petri about objects that it has. */
export async function payloadsPage(): Promise<string> {
  const transport = async () => ({ status: 200, headers: {}, body: '' })
  const now = Date.parse('2026-01-05T09:00:00Z')
  const petri = await createPetri({
    firstWorld: { ...firstWorld, apiKey: KEY, now, webhookUrl: 'http://receiver.example/webhooks' },
    transport,
  })
  const call: Call = async (route, sent, headers = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const isForm = sent instanceof FormData
    const response = await petri.app.request(path, {
      method,
      headers: { 'x-vital-api-key': KEY, ...(!isForm && { 'content-type': 'application/json' }), ...headers },
      ...(sent && { body: isForm ? sent : JSON.stringify(sent) }),
    })
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`)
    return response.headers.get('content-type')?.includes('pdf') ? response.blob() : response.json()
  }
  const subjects = await makeSubjects(call)
  const sections: string[] = []
  for (const [type, subject] of Object.entries(families)) {
    const { messages } = await call('POST /_petri/trigger', { event_type: type, ...subjects[subject] })
    const family = familyOf(type)
    const types = [...eventTypeNames()].filter((name) => familyOf(name) === family)
    const others = types.length > 1 ? ` One of ${types.length} types of this form.` : ''
    const body = JSON.stringify(messages[0].payload, shortened, 2)
    sections.push(
      `## ${type}\n\nAbout ${/^[aeou](?!ser)/.test(subject) ? 'an' : 'a'} ${subject}.${others}\n\n\`\`\`json\n${body}\n\`\`\``,
    )
  }
  await petri.close()
  return `${[
    '# A payload of each family of events',
    '',
    'Copy a body for the tests of your webhook handler. `npm run generate` writes this page with bodies that Petri has sent. Lists show',
    'their first element only. [Webhooks](../webhooks.md) says how messages are signed and delivered.',
    '',
    '`npx petri-sandbox trigger TYPE` sends any event about your own objects. `/openapi.json` has the schema of each under `webhooks`.',
    '',
    sections.join('\n\n'),
  ].join('\n')}\n`
}

/** The name of a type without its resource and its verb. */
const familyOf = (type: string) => {
  const [first = '', second = '', third = ''] = type.split('.')
  if (first !== 'daily') return `${first}.${second}`
  return findSeries(third) ? 'daily samples' : 'daily summaries'
}

const shortened = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > 1 ? value.slice(0, 1) : value

// biome-ignore lint/suspicious/noExplicitAny: the responses have many shapes.
type Call = (route: string, sent?: object, headers?: Record<string, string>) => Promise<any>

async function makeSubjects(call: Call) {
  const { user_id } = await call('POST /v2/user', { client_user_id: 'ada' })
  await call('POST /v2/link/connect/demo', { user_id, provider: 'fitbit' })
  await call('POST /_petri/clock/advance', { by: '2h' })
  const order = await call('POST /_petri/orders', { method: 'walk_in_test', status: 'completed' })
  const visit = await call('POST /_petri/orders', {
    method: 'at_home_phlebotomy',
    scenario: 'at-home-booked-by-phone',
  })
  const form = new FormData()
  form.append('file', await call(`GET /v3/order/${order.id}/result/pdf`), 'report.pdf')
  form.append('user_id', order.user_id)
  const job = await call('POST /lab_report/v1/parser/job', form)
  await call(
    'POST /v3/unmatched_result_test',
    { case: 'no_match', order_source: 'managed' },
    { 'x-idempotency-key': 'one' },
  )
  await call('POST /_petri/clock/advance', { until: 'idle' })
  const { data: unmatched } = await call('GET /v3/unmatched_result')
  const { data: labTests } = await call('GET /v3/lab_test')
  const lab_test_ids = [labTests.find(({ method }: { method: string }) => method === 'walk_in_test').id]
  const quote = await call('POST /checkout/v1/quote', {
    order_set: { lab_test_ids },
    modality: 'walk_in_test',
    priority: false,
    us_state: 'AZ',
  })
  const session = await call('POST /checkout/v1/session', {
    quote_id: quote.id,
    user_id,
    payment: {
      channel: 'stripe',
      method: 'checkout_session',
      success_url:
        'https://app.example/done?session={JUNCTION_CHECKOUT_SESSION_ID}&stripe={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://app.example/cart',
    },
    patient_details: {
      ...NAME,
      dob: '1985-12-10',
      gender: 'female',
      phone_number: '+16025550123',
      email: 'ada@example.com',
    },
    patient_address: { ...ADDRESS, receiver_name: 'Ada Example' },
  })
  const { team_id } = await call('GET /_petri/world')
  const query = {
    slug: 'daily-steps',
    title: 'Steps a day',
    query: {
      select: [{ group_key: '*' }, { arg: { activity: 'steps' }, func: 'sum' }],
      group_by: [{ arg: { index: 'activity' }, date_trunc: { unit: 'day', value: 1 } }],
    },
  }
  const queries = `/v1/org/${organisationId}/team/${team_id}/sandbox/continuous_query`
  await call(`POST ${queries}`, query, { 'x-management-key': defaults.managementKey })
  // The query runs.
  await call('POST /_petri/clock/advance', { by: '1h' })
  return {
    order: { order_id: order.id },
    visit: { order_id: visit.id },
    'unmatched result': { raw_result_id: unmatched[0].id },
    'parsing job': { job_id: job.job?.id ?? job.id },
    quote: { quote_id: quote.id },
    session: { checkout_session_id: session.checkout_session_id },
    user: { user_id },
    connection: { user_id, provider: 'fitbit' },
  }
}
