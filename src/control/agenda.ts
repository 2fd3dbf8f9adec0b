import * as z from 'zod'
import { integer, maybe, text } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { instant, nullableText, type Parsed, schema, unnamed } from '../api/schema.ts'
import { toIso } from '../kernel/instant.ts'
import { runInSlices, sortInSteps } from '../kernel/slices.ts'
import { appointments } from '../resources/appointments/table.ts'
import type { Job } from '../scheduler/job.ts'
import { messages } from '../webhooks/table.ts'
import type { World } from '../world/world.ts'

export const AgendaItem = schema('PetriAgendaItem', () => ({
  due: instant(),
  kind: z.string(),
  /** The id of the order, message or user it is about; other kinds of jobs use other ids. */
  subject: z.string(),
  order_id: nullableText(),
  user_id: nullableText(),
  /** A description in words. */
  does: z.string(),
  /** Whether it repeats for ever; such jobs do not count as pending. */
  recurring: z.boolean(),
}))

export const AgendaList = schema('PetriAgenda', () => ({
  data: z.array(AgendaItem()),
  /** The number of all matching jobs. */
  total: z.int(),
}))

const AgendaQuery = unnamed(() => ({
  subject: maybe(text()).describe('Only jobs of this order, message or user.'),
  limit: integer({ ge: 1, le: 500 }).default(100),
}))

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

export function describeJob(
  { agenda, db }: World,
  { due, kind, subject, recurring = false }: Job,
): Parsed<typeof AgendaItem> {
  const { about, does = kind } = agenda.kinds.get(kind) ?? {}
  let order_id = about === 'order' ? subject : null
  let user_id = about === 'user' ? (subject.split('/')[0] ?? null) : null
  if (about === 'appointment') order_id = db.find(appointments, subject)?.order_id ?? null
  if (about === 'message') {
    const message = db.find(messages, subject)
    order_id = message?.order_id ?? null
    user_id = message?.user_id ?? null
  }
  return { due: toIso(due), kind, subject, order_id, user_id, does, recurring }
}
