import { join } from 'node:path'
import { kill, pause, residentMb, startPetri, startReference } from '../processes.mjs'
import { medianRatio } from '../statistics.mjs'

/** Milliseconds after its first answer at which a server is at rest. */
const REST_MS = 400

/** Starts servers in turn on new folders. `/v2/user` checks key and query and reads the store. */
export async function measureStart({ main, folder, facts, rounds }) {
  const servers = {
    bare: () => startReference('bare-hono', facts),
    health: (round) => startPetri(main, join(folder, `start-health-${round}`)),
    first: (round) => startPetri(main, join(folder, `start-${round}`), { path: '/v2/user' }),
  }
  const measured = { bare: [], health: [], first: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of Object.entries(servers)) {
      const server = await start(round)
      await pause(REST_MS)
      measured[name].push({ startMs: server.startMs, mb: residentMb(server) })
      await kill(server)
    }
  }
  const { bare, health, first } = measured
  return {
    start: medianRatio(first, bare, 'startMs'),
    startHealth: medianRatio(health, bare, 'startMs'),
    rss: medianRatio(first, bare, 'mb'),
  }
}
