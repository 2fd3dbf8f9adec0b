import { createHash } from 'node:crypto'
import { feature } from '../api/features.ts'
import type { Reply } from '../api/reply.ts'
import { Problem } from '../kernel/problem.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { RawInput } from './read-body.ts'

/** The first reply to a call made with an idempotency key. Source: contract/lab-testing.md §4.6. */
interface FirstReply {
  readonly id: string
  /** Fingerprint of the request body. */
  readonly request: string
  readonly status: number
  /** JSON, or null without a body. */
  readonly body: string | null
  /** Milliseconds since 1970 until which it is repeated. */
  readonly until: number
}

const firstReplies = table<FirstReply>('first_replies', ({ id }) => id)

/** An operation whose first reply is repeated for so many milliseconds. */
interface Repeatable {
  readonly id: string
  readonly keptMs: number
}

/** Repeats the first reply to a call with the same idempotency key; without one, runs the call and stores its reply. */
export async function answerOnce(
  world: World,
  operation: Repeatable,
  { header, params, bodyText }: RawInput,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const key = header('x-idempotency-key')
  if (!key) return run()
  // The same key may be used for different orders.
  const id = [operation.id, ...Object.values(params), key].join('/')
  const request = createHash('sha256').update(bodyText).digest('hex')
  const first = world.db.find(firstReplies, id)
  if (first && first.until > world.clock.now()) return repeat(world, first, request)
  const reply = await runAlone(world, id, run)
  const { status, body } = reply
  if ((body === null || typeof body === 'string') && isWorthKeeping(reply, header('x-idempotency-error'))) {
    const until = world.clock.now() + operation.keptMs
    deleteExpired(world)
    world.db.put(firstReplies, { id, request, status, body, until })
  }
  return reply
}

/** Deletes at most two expired entries, the oldest first, so that the table does not grow. */
function deleteExpired(world: World): void {
  for (let deleted = 0; deleted < 2; deleted++) {
    const oldest = world.db.first(firstReplies)
    if (oldest === undefined || world.db.get(firstReplies, oldest).until > world.clock.now()) return
    world.db.delete(firstReplies, oldest)
  }
}

const running = new WeakMap<World, Set<string>>()

/** Refuses the call while one with the same key is being processed. */
async function runAlone(world: World, id: string, run: () => Promise<Reply>): Promise<Reply> {
  const ids = running.get(world) ?? new Set<string>()
  running.set(world, ids)
  if (ids.has(id))
    throw new Problem('conflict', 'A request with this idempotency key is still being processed.')
  ids.add(id)
  try {
    return await run()
  } finally {
    ids.delete(id)
  }
}

function repeat(world: World, first: FirstReply, request: string): Reply {
  const replays = feature(world, 'idempotency_mismatch') === 'replay'
  if (first.request !== request && !replays) {
    throw new Problem('conflict', 'This idempotency key was already used with a different request body.')
  }
  return { status: first.status, body: first.body, headers: {} }
}

/** With `no-cache`, errors are not stored. */
const isWorthKeeping = ({ status }: Reply, errors: string | undefined) =>
  status < 300 || (status !== 422 && status < 500 && errors !== 'no-cache')
