import { operation } from '../../api/operation.ts'
import type { LazySchema, Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { isObject, type JsonObject } from '../../kernel/json.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { eventTypeHint, eventTypes } from '../../resources/event-types.ts'
import { getProvider } from '../../resources/providers/service.ts'
import { eventSubject } from '../../resources/users/service.ts'
import type { World } from '../../world/world.ts'
import { unknownFields } from '../ignored-fields.ts'
import { messagesOfEvent } from '../requests.ts'
import { presentMessage } from '../webhooks/service.ts'
import { exampleOf } from './example.ts'
import { Trigger, Triggered } from './schema.ts'
import { findSubject } from './subjects.ts'

export const triggerOperations = [
  operation({
    id: 'petri_trigger',
    route: 'POST /_petri/trigger',
    summary: 'Send any event of the catalogue about an object of this world, without changing the object',
    tool: { name: 'trigger_event' },
    body: Trigger,
    returns: Triggered,
    run: (world, { body }, { clientSignal }) => trigger(world, body, clientSignal()),
  }),
]

type TriggerInput = Parsed<typeof Trigger>

/** Sends an event about an object of this world without changing it. */
async function trigger(
  world: World,
  input: TriggerInput,
  signal: AbortSignal | undefined,
): Promise<Parsed<typeof Triggered>> {
  const { event_type: type, data } = input
  const schema = eventTypes().get(type)?.data
  if (!schema) {
    throw badRequest(`There is no event type "${type}".${eventTypeHint(type)}`)
  }
  const { userId, orderId, isOfTeam = false, body } = await findSubject(world, input, signal)
  const made = body === undefined ? exampleBody(world, schema, input) : body
  const whole = checked(schema, merged(made, data), data) as object
  const subject = userId === null ? { ...nobody, isOfTeam } : eventSubject(world, userId, orderId)
  const eventId = world.emit(type, subject, whole)
  return {
    event_id: eventId,
    event_type: type,
    made_up: body === undefined,
    messages: messagesOfEvent(world, eventId).map((message) => presentMessage(world, message)),
  }
}

const nobody = { userId: null, clientUserId: null }

/** A minimal valid body about this user and provider, for an object without data. */
function exampleBody(world: World, schema: LazySchema, { user_id, provider }: TriggerInput): unknown {
  const uuid = world.ids.uuid(`triggered/${world.next('triggered')}`)
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
function described(body: object, about: JsonObject): JsonObject {
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

function merged(body: unknown, data: TriggerInput['data']): unknown {
  if (data === undefined) return body
  return Array.isArray(data) || Array.isArray(body) ? data : { ...(body as object), ...data }
}

/** The body, validated against the schema of its type. */
function checked(schema: LazySchema, body: unknown, given: TriggerInput['data']): unknown {
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
