import { join } from 'node:path'
import { load } from '../load.mjs'
import { cpuSeconds, freePort, startPetri } from '../processes.mjs'
import { hasProxy, startProxy } from '../proxy.mjs'
import { sandbox } from '../sandbox.mjs'
import { median } from '../statistics.mjs'

const REQUESTS = 5000

/** Requests per CPU second through nginx, including its own, relative to a Petri called directly. Skipped without nginx. */
export async function measureProxy({ main, folder, rounds }) {
  if (!hasProxy('nginx')) return {}
  const petri = await startPetri(main, join(folder, 'behind-proxy'))
  const proxyPort = await freePort()
  const proxy = await startProxy('nginx', [petri.port], join(folder, 'nginx'), proxyPort)
  const { placeKit, orderRequest } = await sandbox(petri.url)
  const request = orderRequest((await placeKit()).order.id)
  const direct = () => requestsPerCpuSecond(petri.port, request, [petri])
  const proxied = () => requestsPerCpuSecond(proxyPort, request, [petri, proxy])
  await direct()
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const alone = await direct()
    ratios.push((await proxied()) / alone)
  }
  await proxy.stop()
  await petri.stop()
  return { proxied: median(ratios) }
}

async function requestsPerCpuSecond(port, request, servers) {
  const used = () => servers.reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0)
  const before = used()
  await load(port, [request], REQUESTS)
  return REQUESTS / (used() - before)
}
