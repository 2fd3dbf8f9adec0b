import * as z from 'zod'
import { integer, maybe, text } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { type Parsed, schema, unnamed } from '../api/schema.ts'
import { toIso } from '../kernel/instant.ts'
import { runInSlices, sortInSteps } from '../kernel/slices.ts'
import { appointments } from '../resources/appointments/table.ts'
import type { Job } from '../scheduler/job.ts'
import { messages } from '../webhooks/table.ts'
import type { World } from '../world/world.ts'

export const AgendaItem = schema('PetriAgendaItem', () =>
  z.object({
    due: z.iso.datetime({ offset: true }),
    kind: z.string(),
    /** The id of the order, message or user it is about; other kinds of jobs use other ids. */
    subject: z.string(),
    order_id: z.string().nullable(),
    user_id: z.string().nullable(),
    /** A description in words. */
    does: z.string(),
    /** Whether it repeats for ever; such jobs do not count as pending. */
    recurring: z.boolean(),
  }),
)

export const AgendaList = schema('PetriAgenda', () =>
  z.object({
    data: z.array(AgendaItem()),
    /** The number of all matching jobs. */
    total: z.int(),
  }),
)

const AgendaQuery = unnamed(() =>
  z.object({
    subject: maybe(text()).describe('Only jobs of this order, message or user.'),
    limit: integer({ ge: 1, le: 500 }).default(100),
  }),
)

export const agendaOperation = operation({
  id: 'petri_agenda',
  route: 'GET /_petri/agenda',
  summary: 'List the pending jobs of this world, the earliest first',
  query: AgendaQuery,
  returns: AgendaList,
  async run(world, { query: { subject, limit } }) {
    const found = await runInSlices(pendingJobs(world, subject))
    return { data: found.slice(0, limit).map((job) => describeJob(world, job)), total: found.length }
  },
})

function* pendingJobs(world: World, about: string | null | undefined): Generator<void, Job[]> {
  const found: Job[] = []
  for (const job of world.agenda.all()) {
    if (!about || concerns(world, job, about)) found.push(job)
    yield
  }
  return yield* sortInSteps(found, (a, b) => a.due - b.due || a.turn - b.turn)
}

function concerns(world: World, job: Job, id: string): boolean {
  const { subject, order_id, user_id } = describeJob(world, job)
  return [subject, order_id, user_id].includes(id)
}

/** What the subject of a job identifies. The subject of a user's job may contain more after a slash. */
type Concern = 'order' | 'appointment' | 'message' | 'user' | 'other'

const kinds: Readonly<Record<string, readonly [Concern, string]>> = {
  'scenarios.step': ['order', 'the next step of the scenario'],
  'scenarios.begin': ['order', 'the scenario begins'],
  'orders.activate': ['order', 'the scheduled order becomes active'],
  'orders.simulate': ['order', 'the next step of the simulation'],
  'appointments.confirm': ['appointment', 'the provider confirms the appointment'],
  'appointments.give_up': ['appointment', 'the unconfirmed booking is given up'],
  'appointments.no_requisition': ['appointment', 'the booking is given up without a requisition'],
  'appointments.too_late': ['appointment', 'the booking is too late without a requisition'],
  'appointments.set_time': ['appointment', 'the phlebotomist names a time'],
  'checkout.hold': ['other', 'the site says whether it holds the appointment'],
  'checkout.pay': ['other', 'the patient pays for the checkout session, or cancels it'],
  'checkout.expire': ['other', 'the unpaid checkout session expires'],
  'webhooks.attempt': ['message', 'the next attempt to deliver a webhook'],
  'webhooks.resend': ['message', 'a webhook is delivered once more'],
  'webhooks.duplicate': ['message', 'a webhook is delivered again as a duplicate'],
  'webhooks.release': ['other', 'webhooks that were held are sent'],
  'webhooks.disable': ['other', 'the endpoint is disabled, since every delivery failed'],
  'connections.sync': ['user', 'the connection is refreshed'],
  'connections.backfill': ['user', 'the historical data of a connection arrive'],
  'connections.expire_demo': ['user', 'the demo connection ends'],
  'feeds.act': ['user', 'the next step of a feed scenario'],
  'feeds.begin': ['user', 'a feed scenario begins'],
  'users.erase': ['user', 'the deleted user is erased'],
  'lab-tests.approve': ['other', 'a lab test is approved'],
  'report-parser.stage': ['other', 'the lab report goes on to its next stage'],
  'report-parser.finish': ['other', 'the lab report is finished'],
  'sense.evaluate': ['other', 'a continuous query is evaluated'],
  'sense.prune': ['other', 'old results of a continuous query are removed'],
  'unmatched-results.test': ['other', 'the next stage of a test run of unmatched results'],
  'link.bulk_step': ['other', 'the next step of a bulk operation'],
}

export function describeJob(
  { db }: World,
  { due, kind, subject, recurring = false }: Job,
): Parsed<typeof AgendaItem> {
  const [concern, does] = kinds[kind] ?? ['other', kind]
  let order_id = concern === 'order' ? subject : null
  let user_id = concern === 'user' ? (subject.split('/')[0] ?? null) : null
  if (concern === 'appointment') order_id = db.find(appointments, subject)?.order_id ?? null
  if (concern === 'message') {
    const message = db.find(messages, subject)
    order_id = message?.order_id ?? null
    user_id = message?.user_id ?? null
  }
  return { due: toIso(due), kind, subject, order_id, user_id, does, recurring }
}
