import * as z from 'zod'
import { fingerprint, leftBefore } from '../api/idempotency.ts'
import type { Reply } from '../api/reply.ts'
import { sortedFields } from '../kernel/fields.ts'
import { headerNames } from '../kernel/headers.ts'
import { isObject, parseJson } from '../kernel/json.ts'
import { perOwner } from '../kernel/kept.ts'
import { conflict } from '../kernel/problem.ts'
import { instantMs, table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Replying, Step } from './context.ts'

/** The first reply to a call made with an idempotency key. Source: docs/contract/placing.md#idempotency. */
export const firstReplies = table(
  'first_replies',
  () =>
    z.object({
      id: z.string(),
      /** Fingerprint of the request body. */
      request: z.string(),
      status: z.int().min(100).max(599),
      /** JSON, or null without a body. */
      body: z.string().nullable(),
      /** When it expires. */
      until: instantMs(),
    }),
  ({ id }) => id,
  { owner: ['user', 'order'], without: () => undefined },
)

/** Repeats the first reply to a call with the same idempotency key; otherwise stores the reply. */
export const repeatFirstReply =
  (operationId: string, keptMs: number): Step =>
  async (c, next) => {
    const key = c.req.header(headerNames.idempotencyKey)
    const world = c.get('world')
    if (!key || !world) return next()
    // The same key may be used for different orders.
    const id = [operationId, ...Object.values(c.req.param()), key].join('/')
    const request = fingerprint(canonical(c.get('sent')?.text ?? ''))
    const kept = world.db.find(firstReplies, id)
    const first = kept && kept.until > world.clock.now() ? leftBefore(world, kept, request) : undefined
    if (first) return { status: first.status, body: first.body, headers: {} }
    const reply = await runAlone(world, id, next)
    const { status, body } = reply
    const isText = body === null || typeof body === 'string'
    if (!isText || !isWorthKeeping(reply, c.req.header(headerNames.idempotencyError))) return reply
    deleteExpired(world)
    world.db.put(firstReplies, { id, request, status, body, until: world.clock.now() + keptMs })
    return reply
  }

/** A body with the fields of its JSON in order. */
function canonical(text: string): string {
  const json = parseJson(text)
  if (json === undefined) return text
  return JSON.stringify(json, (_, value) => (isObject(value) ? sortedFields(Object.entries(value)) : value))
}

/** Deletes at most two expired entries, the oldest first, so that the table stays small. */
function deleteExpired(world: World): void {
  for (let deleted = 0; deleted < 2; deleted++) {
    const oldest = world.db.first(firstReplies)
    if (oldest === undefined || world.db.get(firstReplies, oldest).until > world.clock.now()) return
    world.db.delete(firstReplies, oldest)
  }
}

const runningIn = perOwner<World, Set<string>>(() => new Set())

/** Rejects a call while another one with the same key is being processed. */
async function runAlone(world: World, id: string, run: () => Replying): Promise<Reply> {
  const ids = runningIn(world)
  if (ids.has(id)) throw conflict('A request with this idempotency key is still being processed.')
  ids.add(id)
  try {
    return await run()
  } finally {
    ids.delete(id)
  }
}

/** Errors are not stored with `no-cache`. */
const isWorthKeeping = ({ status }: Reply, errors: string | undefined) =>
  status < 300 || (status !== 422 && status < 500 && errors !== 'no-cache')
