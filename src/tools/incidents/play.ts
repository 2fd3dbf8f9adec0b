import { writeDuration } from '../../kernel/duration.ts'
import { headerNames } from '../../kernel/headers.ts'
import { SECOND_MS } from '../../kernel/instant.ts'
import { isObject, listIn, objectIn } from '../../kernel/json.ts'
import { append, compact } from '../../kernel/list.ts'
import { createPetri, type PetriOptions } from '../../petri.ts'
import { dotted, hasReport, readStatus } from '../../resources/orders/lifecycle.ts'
import { type OrderRow, statusHistoryOf } from '../../resources/orders/table.ts'
import type { OrderRecord } from '../../scenarios/incidents/record.ts'
import { CliError } from '../../terminal/errors.ts'
import type { IncidentLabTest } from './lab-test.ts'
import type { DeliveredWebhook, Moment } from './test-text.ts'

/** The effects of a scenario. */
interface Played {
  /** How it differs from the record, in sentences. */
  readonly differences: readonly string[]
  /** The compared parts, in words. */
  readonly compared: string
  /** Those of the record, and others that came. */
  readonly webhooks: readonly DeliveredWebhook[]
  readonly moments: readonly Moment[]
}

/** The features of a world that an incident needs. */
export const featuresOf = ({
  statuses,
  messages,
  isRedraw,
}: OrderRecord): Readonly<Record<string, boolean>> => ({
  ...((isRedraw || statuses.some(({ low }) => low === 'redraw_available')) && { redraws: true }),
  ...(messages.some(({ status }) => status === 'partial_results') && { partial_results_webhooks: true }),
})

/** Demographics of a made-up person, with the gender and about the age that decide reference ranges. */
export const personOf = ({ patient }: OrderRecord) =>
  patient && {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.com',
    phone_number: '+16025550100',
    gender: patient.gender,
    dob: `${patient.birthYear}-07-01`,
    address: { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
  }

/** Plays the scenario in a Petri in this process. */
export async function play(
  source: string,
  name: string,
  record: OrderRecord,
  labTest: IncidentLabTest | undefined,
): Promise<Played> {
  const webhooks: DeliveredWebhook[] = []
  /** By order, with the last event of appointments in place of their status. */
  const told = new Map<string, DeliveredWebhook[]>()
  const petri = await openPlay(record.statuses[0]?.at ?? 0, async ({ body }) => {
    const { event_type, data } = JSON.parse(body)
    webhooks.push([event_type, (data.last_event ?? data).status ?? null])
    const status = (data.last_event ?? data.events?.at(-1) ?? data).status ?? null
    const orderId = data.order_id ?? data.id
    told.set(orderId, [...(told.get(orderId) ?? []), [event_type, status]])
    return { status: 204, headers: {}, body: '' }
  })
  const call = petri.call<OrderRow>
  try {
    const features = featuresOf(record)
    if (Object.keys(features).length > 0) await call('PATCH', '/_petri/world', { features })
    const test = labTest && (await call('POST', '/v3/lab_tests', labTest))
    await call('PUT', `/_petri/scenarios/${name}`, { source })
    const person = personOf(record)
    const user = await call('POST', '/v2/user', { client_user_id: 'incident' })
    if (person) await call('PATCH', `/v2/user/${user.user_id}/info`, person)
    const { id } = await call('POST', '/_petri/orders', {
      scenario: name,
      user_id: user.user_id,
      registrable: record.workflow === 'registrable_kit',
      redraw: record.isRedraw,
      ...(test && { lab_test_id: test.id }),
    })
    const differences: string[] = []
    const moments: Moment[] = []
    for (const moment of momentsOf(record)) {
      await call('POST', '/_petri/clock/advance', { by: moment.after })
      const order = await call('GET', `/v3/order/${id}`)
      const response = await petri.send('GET', `/v3/order/${id}/result`)
      const { same, sentences } = compareAt(moment, order, response.ok ? await response.json() : undefined)
      append(differences, sentences)
      moments.push(same)
    }
    await call('POST', '/_petri/clock/advance', { until: 'idle' })
    const order = await call('GET', `/v3/order/${id}`)
    const ofOrder = differencesFrom(record, order)
    const ofWebhooks = webhookDifferences(record, told.get(id) ?? [])
    return {
      differences: [
        ...ofOrder,
        // What an order that went another way shows meanwhile says nothing more.
        ...(ofOrder.length > 0 ? [] : differences.slice(0, MAX_NAMED)),
        ...patientDifference(record, order),
        ...ofWebhooks,
      ],
      compared: comparedIn(record),
      webhooks: ofWebhooks.length === 0 ? webhooks : asRecorded(record, webhooks),
      moments,
    }
  } finally {
    await petri.close()
  }
}

const KEY = 'sk_us_play'

/** Creates a Petri in this process whose frozen world begins at an instant in milliseconds. */
async function openPlay(now: number, transport: NonNullable<PetriOptions['transport']>) {
  const petri = await createPetri({
    firstWorld: {
      name: 'Play',
      apiKey: KEY,
      seed: '1',
      frozen: true,
      now,
      pace: 1,
      scenario: 'manual',
      webhookUrl: 'http://receiver.petri.localhost/',
    },
    transport,
  })
  const send = async (method: string, path: string, body?: object) =>
    petri.app.request(path, {
      method,
      headers: { [headerNames.apiKey]: KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    send,
    async call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
      const response = await send(method, path, body)
      const reply = (await response.json()) as Reply & { readonly detail?: unknown }
      if (!response.ok) throw new CliError(`The scenario cannot be played: ${JSON.stringify(reply.detail)}`)
      return reply
    },
    close: () => petri.close(),
  }
}

/** A second before each report and with it; without reports, the last status. */
function momentsOf({ statuses, method }: OrderRecord): Moment[] {
  const begunAt = statuses[0]?.at ?? 0
  const moments: Moment[] = []
  let elapsedMs = 0
  let shown: Pick<Moment, 'interpretation' | 'values'> = { interpretation: null, values: {} }
  const add = (atMs: number, place: number) => {
    const low = statuses[place]?.low ?? 'ordered'
    moments.push({ after: writeDuration(atMs - elapsedMs), status: dotted(method, low), ...shown })
    elapsedMs = atMs
  }
  for (const [place, { low, at, results }] of statuses.entries()) {
    const atMs = at - begunAt
    const isLast = place === statuses.length - 1
    if (!hasReport(low) && !(isLast && moments.length === 0)) continue
    const isSettled = statuses[place - 1] !== undefined && at - (statuses[place - 1]?.at ?? at) > SECOND_MS
    if (hasReport(low) && isSettled && atMs - elapsedMs > SECOND_MS) add(atMs - SECOND_MS, place - 1)
    if (hasReport(low))
      shown = {
        ...(results?.interpretation && { interpretation: results.interpretation }),
        ...(results?.values && Object.keys(results.values).length > 0 && { values: results.values }),
      }
    // Statuses of the same instant hide this one.
    if (isLast || (statuses[place + 1]?.at ?? at) > at) add(atMs, place)
  }
  return moments
}

/** How an order differs from what is expected after some time, and the expectation without that. */
function compareAt(
  expected: Moment,
  order: OrderRow,
  results: unknown,
): { same: Moment; sentences: string[] } {
  const lines = listIn(objectIn(results).results).filter(isObject)
  const valueOfSlug = (slug: string) => {
    const line = lines.find((each) => each.slug === slug)
    return line?.type === 'numeric' ? line.value : line?.result
  }
  const { after, status, interpretation, values } = expected
  const isOther = interpretation !== undefined && order.interpretation !== interpretation
  const entries = Object.entries(values ?? {})
  const wrong = entries.filter(([slug, value]) => valueOfSlug(slug) !== value)
  return {
    same: {
      after,
      status,
      ...(interpretation !== undefined && !isOther && { interpretation }),
      ...(values && {
        values: Object.fromEntries(
          entries.filter((entry) => typeof entry[1] === 'number' && !wrong.includes(entry)),
        ),
      }),
    },
    sentences: compact([
      isOther &&
        `Played, ${status} has the interpretation ${order.interpretation}; in the record ${interpretation}.`,
      ...wrong
        .slice(0, MAX_NAMED)
        .map(
          ([slug, value]) =>
            `Played, ${slug} is ${valueOfSlug(slug) ?? 'missing'} at ${status}; in the record ${value}.`,
        ),
    ]),
  }
}

function patientDifference({ hasPatient }: OrderRecord, { patient_details }: OrderRow): string[] {
  if (hasPatient === undefined || hasPatient === (patient_details !== null)) return []
  return [
    `Played, the order ends ${hasPatient ? 'without' : 'with'} a patient; in the record ${hasPatient ? 'with one' : 'without'}.`,
  ]
}

/** The event of an order or its appointment, without the method in its status. */
function nameOf(type: string, status: string | null | undefined): string {
  const low = status ? (readStatus(status)?.low ?? status) : ''
  return /^labtest\.order\.(created|updated)$/.test(type) ? low : `${type} ${low}`.trim()
}

/** How the webhooks differ in number and order, except those that the record does not have: a log may leave some out. */
function webhookDifferences({ messages }: OrderRecord, webhooks: readonly DeliveredWebhook[]): string[] {
  const expected = messages.map(({ type, status }) => nameOf(type, status))
  const actual = webhooks
    .map(([type, status]) => nameOf(type, status))
    .filter((each) => expected.includes(each))
  const countOf = (names: readonly string[], name: string) => names.filter((each) => each === name).length
  const counts = [...new Set(expected)].flatMap((each) => {
    const [played, recorded] = [countOf(actual, each), countOf(expected, each)]
    if (played === recorded) return []
    return [`Played, the webhook of ${each} comes ${times(played)}; in the record ${times(recorded)}.`]
  })
  if (counts.length > 0) return counts.slice(0, MAX_NAMED)
  const place = expected.findIndex(
    (each, at) => each !== actual[at] && !cameTogether(messages, expected, at, actual[at]),
  )
  if (place === -1) return []
  return [`Played, webhook ${place + 1} is of ${actual[place]}; in the record of ${expected[place]}.`]
}

/** The webhooks that came when it was played, with those that the record has as it has them. */
function asRecorded(
  { messages, method }: OrderRecord,
  played: readonly DeliveredWebhook[],
): DeliveredWebhook[] {
  const recorded = messages.map(({ type, status }): DeliveredWebhook => {
    const isOfOrder = /^labtest\.order\./.test(type)
    const low = status === undefined ? undefined : readStatus(status)?.low
    return [type, isOfOrder && low ? dotted(method, low) : (status ?? null)]
  })
  const known = new Set(recorded.map(([type, status]) => nameOf(type, status)))
  const rest = [...recorded]
  const kept = played.flatMap((webhook) => {
    if (!known.has(nameOf(...webhook))) return [webhook]
    const next = rest.shift()
    return next ? [next] : []
  })
  return [...kept, ...rest]
}

/** Whether a webhook may take the place of another, because both came within the tolerance. */
const cameTogether = (
  messages: OrderRecord['messages'],
  names: readonly string[],
  place: number,
  other: string | undefined,
): boolean => {
  const at = messages[place]?.at
  return messages.some(
    (each, nth) =>
      names[nth] === other &&
      at !== undefined &&
      each.at !== undefined &&
      Math.abs(each.at - at) <= TOLERANCE_MS,
  )
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

function comparedIn({ statuses, hasPatient, messages }: OrderRecord): string {
  const parts = {
    results: statuses.some(({ results }) => results),
    patient: hasPatient !== undefined,
    webhooks: messages.length > 0,
  }
  const [same, other] = [true, false].map((wanted) =>
    Object.entries(parts).flatMap(([name, isKnown]) => (isKnown === wanted ? [name] : [])),
  )
  const missing = other && other.length > 0 ? ` Not in the record: ${other.join(', ')}.` : ''
  return `the same ${['statuses', 'intervals', ...(same ?? [])].join(', ')}.${missing}`
}

/** The longest difference of an interval that counts as none, because events show whole seconds. */
const TOLERANCE_MS = 2000
/** The most differences of a kind that are named. */
const MAX_NAMED = 3

function differencesFrom({ statuses, mayHaveGaps }: OrderRecord, played: OrderRow): string[] {
  const lows = statusHistoryOf(played)
  const places: number[] = []
  const missing = statuses.filter(({ low }) => {
    const found = lows.indexOf(low, (places.at(-1) ?? -1) + 1)
    if (found !== -1) places.push(found)
    return found === -1
  })
  if (missing.length > 0)
    return [`Played, its order lacks ${missing.map(({ low }) => low).join(', ')}; it ends ${lows.at(-1)}.`]
  const others = lows.filter((_, at) => !places.includes(at))
  const isLonger = others.length > 0 && !mayHaveGaps
  const timeOf = (nth: number) => Date.parse(played.events[places[nth] ?? 0]?.created_at ?? '')
  const late = statuses.flatMap(({ low, at }, nth) => {
    const before = statuses[nth - 1]
    if (!before) return []
    const recorded = at - before.at
    const waited = timeOf(nth) - timeOf(nth - 1)
    const isLate = Math.abs(recorded - waited) > TOLERANCE_MS
    return isLate
      ? [
          `Played, ${low} comes after ${seconds(waited)} of scenario time; in the record after ${seconds(recorded)}.`,
        ]
      : []
  })
  return compact([
    isLonger && `Played, its order also has ${others.join(', ')}.`,
    ...late.slice(0, MAX_NAMED),
    late.length > MAX_NAMED && `Played, ${late.length - MAX_NAMED} more come at another time.`,
  ])
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
