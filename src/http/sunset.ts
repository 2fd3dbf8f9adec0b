import { feature } from '../api/features.ts'
import type { Reply } from '../api/reply.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { writeJson } from '../kernel/json.ts'
import type { World } from '../world/world.ts'

/** Serves an operation whose end is announced, as the feature `sunset` says. Source: RFC 9745, RFC 8594. */
export async function applySunset(world: World, endsOn: string, serve: () => Promise<Reply>): Promise<Reply> {
  const mode = feature(world, 'sunset')
  if (mode === 'ignore') return serve()
  const end = new Date(endsOn)
  const headers = { deprecation: `@${end.getTime() / SECOND_MS}`, sunset: end.toUTCString() }
  if (mode === 'enforce') {
    const detail = `This operation ended on ${endsOn}.`
    return { status: 410, body: writeJson({ detail }), headers }
  }
  const reply = await serve()
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
