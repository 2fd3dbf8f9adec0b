// node bench/felt-kit.mjs PART FILE KIT: what tests in JavaScript wait for, in a process of its own. Prints JSON; times are milliseconds of CPU.
import { pathToFileURL } from 'node:url'
import { patient } from './sandbox.mjs'
import { median } from './statistics.mjs'

const [, , part, file, kit] = process.argv
const load = (path) => import(pathToFileURL(path).href)

/** Milliseconds of CPU that an action takes, and what it returns. */
async function timed(act) {
  const before = process.cpuUsage()
  const result = await act()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000, result }
}

const medianMs = async (times, act) => {
  const took = []
  for (let time = 0; time < times; time++) took.push((await timed(act)).ms)
  return median(took)
}

const parts = {
  /** Until the first order is placed: Petri. */
  async first() {
    const loading = await timed(() => load(kit))
    const starting = await timed(() => loading.result.startPetri())
    const placing = await timed(() => starting.result.orders.place())
    return { import: loading.ms, start: starting.ms, order: placing.ms }
  },
  /** The same of Hono with zod-openapi and a journal, whose file is the second argument. */
  async peer() {
    const loading = await timed(() => import('./zod-openapi.mjs'))
    const id = crypto.randomUUID()
    const request = new Request('http://localhost/v3/order', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': 'sk_us_petri' },
      body: JSON.stringify({ user_id: id, lab_test_id: id, ...patient }),
    })
    const placing = await timed(() => loading.result.app.fetch(request))
    if (!placing.result.ok) throw new Error(await placing.result.text())
    return { import: loading.ms, start: 0, order: placing.ms }
  },
  /** What comes after the first order. */
  async lives() {
    const { startPetri } = await load(kit)
    const petri = await startPetri()
    const life = async () => {
      const world = await petri.world()
      let webhooks = 0
      await world.webhooks.deliverTo(() => void webhooks++)
      const { id } = await world.orders.place()
      await world.clock.advance({ until: 'idle' })
      const { status } = await world.orders.get(id)
      if (status !== 'completed' || webhooks < 5) throw new Error(`${status} after ${webhooks} webhooks`)
      await world.close()
    }
    const drop = async () => (await petri.world()).close()
    await medianMs(30, life)
    const lifeMs = await medianMs(60, life)
    const worldMs = await medianMs(100, drop)
    const many = await petri.world()
    for (let placed = 0; placed < 1000; placed++) await many.orders.place()
    const { ms } = await timed(() => many.clock.advance('30d'))
    await petri.close()
    return { life: lifeMs, world: worldMs, advance: ms }
  },
  /** Histories a second of CPU, the sample app in this process included; the second argument is its bundle. */
  async histories() {
    const [{ startPetri }, { agreesWithPetri }] = [await load(kit), await load(file)]
    const petri = await startPetri()
    await petri.explore({ runs: 40 }, agreesWithPetri())
    const runs = 300
    const { ms } = await timed(() => petri.explore({ runs, seed: 2 }, agreesWithPetri()))
    await petri.close()
    return { perSecond: (1000 * runs) / ms }
  },
}
console.log(JSON.stringify(await parts[part]()))
process.exit()
