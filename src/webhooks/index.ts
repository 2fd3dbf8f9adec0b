import type { JobKinds } from '../api/resource.ts'
import { runInSlices } from '../kernel/slices.ts'
import type { Job } from '../scheduler/job.ts'
import type { EventHead } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { deliver } from './delivery.ts'
import { addEndpoint, disableFailing, listEndpoints } from './endpoints.ts'
import { release } from './faults.ts'
import { ATTEMPT, attemptOptionsOf, DISABLE, DUPLICATE, RELEASE, RESEND } from './jobs.ts'
import { enqueue, resumePending, subscribers } from './messages.ts'
import { loadLog } from './state.ts'
import { endpoints, eventIdOf } from './table.ts'

/** The attempts of an event run together, those to an endpoint one after the other. */
const attempts = {
  about: 'message',
  run: (world: World, job: Job, others: readonly Job[]) => deliver(world, [job, ...others]),
  groupOf: eventIdOf,
  queueOf: (job: Job) => attemptOptionsOf(job).endpointId,
} as const

export const webhookJobs: JobKinds = {
  [ATTEMPT]: { ...attempts, does: 'the next attempt to deliver a webhook' },
  [RESEND]: { ...attempts, does: 'a webhook is delivered once more' },
  [DUPLICATE]: { ...attempts, does: 'a webhook is delivered again as a duplicate' },
  [RELEASE]: {
    does: 'webhooks that were held are sent',
    run: (world, { subject }) => release(world, subject),
  },
  [DISABLE]: {
    does: 'the endpoint is disabled, since every delivery failed',
    run: (world, { subject }) => world.agenda.runSteps(disableFailing(world, subject)),
  },
}

/** Creates a message for each endpoint that subscribes to an event. */
export const enqueueEvent = (world: World, event: EventHead): void =>
  enqueue(world, event, subscribers(world, event.event_type))

/** Gives the endpoint of the setting `PETRI_WEBHOOK_URL` its URL, which a reset keeps; adds one if no endpoint has it. */
export function setFirstEndpoint(world: World, url: string): void {
  world.setSettings({ options: { ...world.options, webhookUrl: url } })
  const all = listEndpoints(world)
  if (all.some((endpoint) => endpoint.url === url)) return
  const first = all.find(({ from_setting }) => from_setting) ?? addEndpoint(world, { url })
  world.db.put(endpoints, { ...first, url, from_setting: true, updated_at: world.clock.now() })
}

/** Continues the deliveries that were pending when a world was closed. */
export async function resumeDeliveries(world: World): Promise<void> {
  await loadLog(world)
  await runInSlices(resumePending(world))
}
