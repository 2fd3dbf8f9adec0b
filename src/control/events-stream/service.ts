import { redactValue } from '../../api/secrets.ts'
import { toIso } from '../../kernel/instant.ts'
import { repeatedly } from '../../kernel/pause.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Effect } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { secretsOf } from '../requests/service.ts'

/** How often a stream shows that it is there, in milliseconds of true time. */
const HEARTBEAT_MS = 15_000
/** What a client may be behind before it is dropped. */
const MOST_UNREAD = 1000
/** The most that watch one world, waiting calls included. */
const MOST_WATCHERS = 200

/** Tells what happens in a world as server-sent events, until the client leaves, falls behind, or the world is gone. */
export function openStream(world: World, kinds: readonly string[] | undefined): ReadableStream<Uint8Array> {
  const { bus } = world.agenda
  if (bus.subscribers >= MOST_WATCHERS) {
    throw new Problem('too_many', `${MOST_WATCHERS} others watch this world already.`)
  }
  const encoder = new TextEncoder()
  let leave: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ordinal = 0
        const send = (words: string) => controller.enqueue(encoder.encode(words))
        const close = () => {
          leave()
          controller.close()
        }
        const unwatch = bus.subscribe({
          onEffect(happening) {
            if (kinds && !kinds.includes(happening.kind)) return
            if ((controller.desiredSize ?? 0) > 1) return send(write(world, happening, ++ordinal))
            send('event: dropped\ndata: {"detail":"You read too slowly; connect again."}\n\n')
            close()
          },
          onEnd: close,
        })
        const silence = repeatedly(HEARTBEAT_MS, () => {
          if ((controller.desiredSize ?? 0) > 1) send(': still here\n\n')
        })
        leave = () => {
          unwatch()
          silence()
        }
        send('retry: 1000\n\n')
      },
      cancel: () => leave(),
    },
    new CountQueuingStrategy({ highWaterMark: MOST_UNREAD }),
  )
}

function write(world: World, { at, kind, ...what }: Effect, ordinal: number): string {
  const data = redactValue({ at: toIso(at), kind, ...what }, secretsOf(world))
  return `id: ${ordinal}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`
}
