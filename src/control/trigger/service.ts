import type { LazySchema, Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { isObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { eventTypeNames, eventTypes } from '../../resources/event-types.ts'
import { getProvider } from '../../resources/providers/service.ts'
import { eventSubject, getUser } from '../../resources/users/service.ts'
import type { World } from '../../world/world.ts'
import { messagesOfEvent } from '../requests/service.ts'
import { unknownFields } from '../requests/unread.ts'
import { presentMessage } from '../webhooks/service.ts'
import { exampleOf } from './example.ts'
import { connectionBody } from './health.ts'
import { type About, appointmentBody, jobBody, orderBody, reviewBody } from './lab.ts'
import { resultTablesBody } from './queries.ts'
import type { Trigger, Triggered } from './schema.ts'

type Input = Parsed<typeof Trigger>
type IdField = 'order_id' | 'user_id' | 'provider' | 'appointment_id' | 'job_id' | 'raw_result_id'

/** The kinds of objects of events, and the fields that identify them. */
const subjects: readonly (readonly [pattern: RegExp, noun: string, ways: readonly (readonly IdField[])[]])[] =
  [
    [/^labtest\.(order|result)\./, 'an order', [['order_id']]],
    [/^labtest\.appointment\./, 'an appointment', [['appointment_id'], ['order_id']]],
    [/^labtest\.match_review\./, 'an unmatched result', [['raw_result_id']]],
    [/^lab_report\./, 'a parsing job', [['job_id']]],
    [/^continuous_query\./, 'a user', [['user_id']]],
    [/^(provider|historical|daily)\./, "a user's connection", [['user_id', 'provider']]],
  ]

const idFields: readonly IdField[] = [
  'order_id',
  'user_id',
  'provider',
  'appointment_id',
  'job_id',
  'raw_result_id',
]

/** Sends an event about an object of this world without changing it. */
export function trigger(world: World, input: Input): Parsed<typeof Triggered> {
  const { event_type: type, data } = input
  const schema = eventTypes().get(type)?.data
  if (!schema) {
    const names = [...eventTypeNames()]
    throw new Problem('bad_request', `There is no event type "${type}".${didYouMean(type, names)}`)
  }
  assertObjectsOfType(type, input)
  const { userId, orderId, body } = aboutOf(world, input)
  const made = body === undefined ? exampleBody(world, schema, input) : body
  const whole = checked(schema, merged(made, data), data)
  const eventId = idOfNext(world, () =>
    world.emit(type, userId === null ? nobody : eventSubject(world, userId, orderId), whole as object),
  )
  return {
    event_id: eventId,
    event_type: type,
    made_up: body === undefined,
    messages: messagesOfEvent(world, eventId).map((message) => presentMessage(world, message)),
  }
}

const nobody = { userId: null, clientUserId: null }

function assertObjectsOfType(type: string, input: Input): void {
  const [, noun = '', ways = []] = subjects.find(([pattern]) => pattern.test(type)) ?? []
  const given = idFields.filter((field) => input[field] !== undefined)
  const fits = ways.some((way) => way.length === given.length && way.every((field) => given.includes(field)))
  if (fits) return
  const wanted = ways.map((way) => way.join(' and ')).join(', or ')
  const instead = given.length > 0 ? `, not by ${given.join(' and ')}` : ''
  throw new Problem('bad_request', `${type} is about ${noun}, named by ${wanted}${instead}.`)
}

function aboutOf(world: World, input: Input): About {
  const { event_type: type, order_id, appointment_id, job_id, raw_result_id, user_id, provider } = input
  if (job_id !== undefined) return jobBody(world, job_id)
  if (raw_result_id !== undefined) return reviewBody(world, raw_result_id)
  if (type.startsWith('labtest.appointment.')) {
    return appointmentBody(world, { appointmentId: appointment_id, orderId: order_id })
  }
  if (order_id !== undefined) return orderBody(world, type, order_id)
  const userId = getUser(world, user_id ?? '').user_id
  if (provider === undefined) return { userId, body: resultTablesBody(world, userId) }
  return { userId, body: connectionBody(world, type, userId, provider) }
}

/** A minimal valid body about this user and provider, for an object without data. */
function exampleBody(world: World, schema: LazySchema, { user_id, provider }: Input): unknown {
  const uuid = world.random.uuid(`triggered/${world.next('triggered')}`)
  const filled = exampleOf(schema(), { uuid, instant: toWire(world.clock.now()) })
  if (!isObject(filled)) return filled
  const about: Record<string, unknown> = { user_id }
  if (provider !== undefined) {
    const [type] = getProvider(provider).source_types
    about.source_type = type
    about.provider = provider
  }
  return described(filled, about)
}

/** Sets the user and provider wherever the body contains them. */
function described(body: object, about: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'source' && typeof value === 'object' && value !== null) {
        const { provider, source_type: type } = about
        return [name, { ...value, provider, type, slug: provider, name: provider }]
      }
      return [name, about[name] !== undefined && typeof value === 'string' ? about[name] : value]
    }),
  )
}

const merged = (body: unknown, data: Input['data']): unknown =>
  data === undefined
    ? body
    : Array.isArray(data) || Array.isArray(body)
      ? data
      : { ...(body as object), ...data }

/** The body, validated against the schema of its type. */
function checked(schema: LazySchema, body: unknown, given: Input['data']): unknown {
  const unknown = given === undefined ? [] : unknownFields(schema(), body, 'data')
  const entries: unknown[] = unknown.map(({ path }) => ({
    type: 'extra_forbidden',
    loc: ['body', ...path.split('.')],
    msg: 'Extra inputs are not permitted: this event type has no such field.',
    input: null,
  }))
  const read = schema().safeParse(body)
  if (!read.success && given === undefined)
    throw new Error(`a body of ours is not valid: ${read.error.message}`)
  for (const { path, message } of read.error?.issues ?? []) {
    entries.push({ type: 'value_error', loc: ['body', 'data', ...path], msg: message, input: null })
  }
  if (entries.length > 0) throw new Problem('invalid', entries)
  return read.data
}

/** The id of the event that `run` records. */
function idOfNext(world: World, act: () => void): string {
  let id = ''
  const stop = world.agenda.bus.subscribe({
    onEffect({ kind, message_id }) {
      if (kind === 'event' && id === '') id = String(message_id)
    },
    onEnd: () => undefined,
  })
  act()
  stop()
  return id
}
