import type { JobKinds } from '../../api/resource.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { payloadText } from '../../world/append-event.ts'
import { type EventHead, events } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type EtlPipeline, type EtlTarget, etlOutbox, etlPipelines, etlTargets } from './table.ts'

/** Sends newline-delimited JSON; rejects when it was not received. `run` identifies the running advance, if there is one. */
export type SendEtl = (url: string, lines: string, run: object | undefined) => Promise<void>

declare module '../../world/services.ts' {
  interface Services {
    readonly sendEtl: SendEtl
  }
}

const DELIVER = 'etl.deliver'

/** Limits of a delivery and of the queue, in events; a full queue drops the oldest. */
const MAX_IN_BATCH = 500
const MAX_WAITING = 10_000
/** Milliseconds until the next attempt after the first, second, … failure; the last is repeated. */
const WAITS_MS = [5 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS] as const

/** The pipeline, if it has a destination other than webhooks. */
const activePipeline = ({ db }: World): EtlPipeline | undefined => {
  const pipeline = db.count(etlPipelines) > 0 ? db.find(etlPipelines, 'pipeline') : undefined
  return pipeline?.preferences.enabled.some((kind) => kind !== 'svix') ? pipeline : undefined
}

/** Queues an event for the target if the pipeline wants it. */
export function queueEvent(world: World, { id, event_type }: EventHead): void {
  const pipeline = activePipeline(world)
  if (!pipeline || !world.db.has(etlTargets, 'target')) return
  const prefixes = pipeline.event_type_prefixes
  if (prefixes && !prefixes.some((prefix) => event_type.startsWith(prefix))) return
  const waiting = world.db.count(etlOutbox)
  if (waiting >= MAX_WAITING) {
    const [oldest = ''] = world.db.ids(etlOutbox)
    world.db.delete(etlOutbox, oldest)
  }
  world.db.put(etlOutbox, { event_id: id })
  if (waiting === 0) scheduleDelivery(world, 0)
}

export function setTarget(world: World, url: string): EtlTarget {
  const target = { id: 'target' as const, url, failures: 0, last_error: null, delivered: 0 }
  if (world.db.count(etlOutbox) > 0) scheduleDelivery(world, 0)
  return world.db.put(etlTargets, target)
}

/** Removes the target and the queued events. */
export function clearTarget(world: World): void {
  world.db.delete(etlTargets, 'target')
  for (const id of [...world.db.ids(etlOutbox)]) world.db.delete(etlOutbox, id)
  world.agenda.cancel(DELIVER, 'target')
}

export const etlJobs: JobKinds = {
  [DELIVER]: { does: 'queued events are sent to the ETL target', run: deliver },
}

const scheduleDelivery = (world: World, waitMs: number) =>
  world.agenda.schedule({
    due: world.clock.now() + waitMs,
    kind: DELIVER,
    subject: 'target',
  })

async function deliver(world: World): Promise<void> {
  // Nothing is announced that Petri might lose; in an interrupted advance it would be repeated in the same way.
  if (!world.agenda.advancing) await world.db.settled()
  const target = world.db.find(etlTargets, 'target')
  const batch = world.db.ids(etlOutbox).slice(0, MAX_IN_BATCH)
  if (!target || batch.length === 0) return
  const lines = batch.filter((id) => world.db.has(events, id)).map((id) => lineOf(world, id))
  const error = lines.length === 0 ? null : await send(world, target, lines)
  settle(world, { batch, lines, error })
}

interface SentBatch {
  /** Event ids. */
  readonly batch: readonly string[]
  readonly lines: readonly string[]
  readonly error: string | null
}

function settle(world: World, { batch, lines, error }: SentBatch): void {
  const now = world.db.find(etlTargets, 'target')
  if (!now) return
  const failures = error === null ? 0 : now.failures + 1
  world.agenda.record(error === null ? 'etl_delivered' : 'etl_failed', {
    events: lines.length,
    detail: error ?? undefined,
  })
  const delivered = now.delivered + (error === null ? lines.length : 0)
  world.db.put(etlTargets, { ...now, failures, last_error: error, delivered })
  if (error === null) for (const id of batch) world.db.delete(etlOutbox, id)
  const waitMs = failures === 0 ? 0 : (WAITS_MS[failures - 1] ?? HOUR_MS)
  if (world.db.count(etlOutbox) > 0) scheduleDelivery(world, waitMs)
}

/** Returns why the lines were not received, null if they were. */
async function send(world: World, { url }: EtlTarget, lines: readonly string[]): Promise<string | null> {
  try {
    await world.services.sendEtl(url, `${lines.join('\n')}\n`, world.agenda.currentRun)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** An event as a message with the attributes a queue would carry. Source: docs/contract/webhooks.md#events. */
function lineOf(world: World, id: string): string {
  const { event_type, user_id } = world.db.get(events, id)
  const attributes = {
    'event-type': event_type,
    'user-id': user_id,
    'team-id': world.identity.teamId,
    'idempotency-key': id,
  }
  return `{"attributes":${JSON.stringify(attributes)},"body":${payloadText(world, id)}}`
}
