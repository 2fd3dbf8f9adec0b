import type { Parsed } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { runInSlices, sortInSteps } from '../../kernel/slices.ts'
import { appointments } from '../../resources/appointments/table.ts'
import type { Job } from '../../scheduler/job.ts'
import { messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import type { AgendaItem, AgendaQuery } from './schema.ts'

type Item = Parsed<typeof AgendaItem>

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

/** The pending jobs, earliest first. */
export async function listAgenda(world: World, { subject, limit }: Parsed<typeof AgendaQuery>) {
  const found = await runInSlices(pendingJobs(world, subject))
  return { data: found.slice(0, limit).map((job) => describeItem(world, job)), total: found.length }
}

function* pendingJobs(world: World, about: string | null | undefined): Generator<void, Job[]> {
  const found: Job[] = []
  for (const job of world.agenda.all()) {
    if (!about || concerns(world, job, about)) found.push(job)
    yield
  }
  return yield* sortInSteps(found, (a, b) => a.due - b.due || a.turn - b.turn)
}

function concerns(world: World, job: Job, id: string): boolean {
  const { subject, order_id, user_id } = describeItem(world, job)
  return [subject, order_id, user_id].includes(id)
}

export function describeItem(world: World, { due, kind, subject, recurring = false }: Job): Item {
  const [concern, does] = kinds[kind] ?? ['other', kind]
  const about = {
    order: { order_id: subject, user_id: null },
    appointment: appointmentSubject(world, subject),
    message: messageSubject(world, subject),
    user: { order_id: null, user_id: subject.split('/')[0] ?? null },
    other: { order_id: null, user_id: null },
  }[concern]
  return { due: toIso(due), kind, subject, ...about, does, recurring }
}

function appointmentSubject({ db }: World, id: string) {
  return { order_id: db.find(appointments, id)?.order_id ?? null, user_id: null }
}

function messageSubject({ db }: World, id: string) {
  const message = db.find(messages, id)
  return { order_id: message?.order_id ?? null, user_id: message?.user_id ?? null }
}
