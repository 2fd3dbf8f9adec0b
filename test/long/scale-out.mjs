// Proves examples/scale-out: worlds spread over Petris by a proxy, one of which is killed and started again in the middle.
//   npm test scale-out -- [--proxy nginx|haproxy] [--petris 1,2,4] [--worlds 400]
// Exits with 1 when an answered call was lost, a world is in two places, or a webhook is missing or not verified.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { VitalClient } from '@tryvital/vital-node'
import { Webhook } from 'svix'
import { freePort, kill, killAll, pause, startServer } from '../../bench/processes.mjs'
import { hasProxy, startProxy } from '../../bench/proxy.mjs'

const { values } = parseArgs({
  options: {
    proxy: { type: 'string', default: 'nginx' },
    petris: { type: 'string', default: '1,2,4' },
    worlds: { type: 'string', default: '400' },
  },
})
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const TOKEN = 'control-token-of-the-proof'
const SECRET = `whsec_${Buffer.from('secret-of-the-scale-out-proof').toString('base64')}`
/** The number of concurrent clients. */
const CLIENTS = 16
/** Milliseconds until the killed Petri is started again. */
const AWAY_MS = 500

if (!hasProxy(values.proxy)) {
  console.log(`${values.proxy} is not installed here; nothing was proved.`)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'petri-scale-out-'))
  try {
    for (const petris of values.petris.split(',')) await prove(Number(petris), join(folder, petris))
  } finally {
    killAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prove(petris, folder) {
  const startedAt = performance.now()
  const receiver = await startReceiver()
  const [proxyPort, ...ports] = await Promise.all(Array.from({ length: petris + 1 }, freePort))
  const start = (at) =>
    startServer([main, 'start', '--port', String(ports[at]), '--log', 'warn'], ports[at], '/_petri/health', {
      environment: {
        PETRI_DATA: join(folder, `data-${at}`),
        PETRI_OPEN_WORLDS: 'true',
        PETRI_PUBLIC_URL: `http://127.0.0.1:${proxyPort}/petri-${at}`,
        PETRI_CONTROL_TOKEN: TOKEN,
        PETRI_WEBHOOK_URL: receiver.url,
        PETRI_WEBHOOK_SECRET: SECRET,
        // A day in a second, so that orders progress and send webhooks while a Petri is killed.
        PETRI_PACE: '86400',
      },
    })
  const servers = await Promise.all(ports.map((_, at) => start(at)))
  const proxy = await startProxy(values.proxy, ports, join(folder, values.proxy), proxyPort)
  const told = { retries: 0 }
  const keys = Array.from(
    { length: Number(values.worlds) },
    (_, at) => `sk_${at % 2 ? 'us' : 'eu'}_world-${at}`,
  )
  const worlds = []
  let killed
  const left = keys.values()
  const work = async () => {
    for (const key of left) {
      worlds.push(await useWorld(proxy.url, key, told))
      if (worlds.length >= keys.length / 2) killed ??= restart(servers, start)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
  await killed
  const faults = [
    ...(await findTwice(ports, keys)),
    ...(await inParallel(worlds, (world) => findLost(proxy.url, world, told))),
    ...(await inParallel(worlds, (world) => findUndelivered(proxy.url, world, receiver, told))),
    ...receiver.refused,
  ]
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(
    `${petris} Petri${petris > 1 ? 's' : ''} behind ${values.proxy}: ${keys.length} worlds (${(await countWorlds(ports)).join(' + ')}), ` +
      `one Petri killed and restarted, ${told.retries} calls repeated after a 502 or 503, ` +
      `${receiver.messages.size} webhooks verified; lost, doubled or unverified: ${faults.length}; ${seconds} s`,
  )
  for (const fault of faults.slice(0, 20)) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  await proxy.stop()
  await Promise.all(servers.map((server) => server.stop()))
  receiver.stop()
}

async function restart(servers, start) {
  await kill(servers[0])
  await pause(AWAY_MS)
  servers[0] = await start(0)
}

/** Creates a user and an order through the official client. */
async function useWorld(url, key, told) {
  const client = new VitalClient({ apiKey: key, environment: url, maxRetries: 0 })
  const clientUserId = `user-of-${key}`
  const user = await repeated(told, async () => {
    try {
      return await client.user.create({ clientUserId })
    } catch (error) {
      // The previous call was carried out, but its response was cut off.
      if (error.statusCode !== 400) throw error
      return client.user.getByClientUserId(clientUserId)
    }
  })
  const [kit] = await repeated(told, () => client.labTests.get({ collectionMethod: 'testkit' }))
  const { order } = await repeated(told, () =>
    client.testkit.createOrder({
      userId: user.userId,
      labTestId: kit.id,
      shippingDetails: {
        receiverName: 'Ada Example',
        firstLine: '1 Test Street',
        city: 'Phoenix',
        state: 'AZ',
        zip: '85004',
        country: 'US',
        phoneNumber: '+16025550123',
      },
    }),
  )
  return { key, client, clientUserId, userId: user.userId, orderId: order.id }
}

/** Repeats a call that a proxy could not forward; the proxies never repeat calls themselves. */
async function repeated(told, call) {
  const deadline = performance.now() + 60_000
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const isAway = [502, 503, undefined].includes(error.statusCode)
      if (!isAway || performance.now() > deadline) throw error
      told.retries++
      await pause(100)
    }
  }
}

async function worldsOf(port) {
  const response = await fetch(`http://127.0.0.1:${port}/_petri/worlds`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  return (await response.json()).data.map(({ api_key }) => api_key).filter((key) => key.includes('_world-'))
}

async function countWorlds(ports) {
  return (await Promise.all(ports.map(worldsOf))).map(({ length }) => length)
}

async function findTwice(ports, keys) {
  const places = (await Promise.all(ports.map(worldsOf))).flat()
  return keys.flatMap((key) => {
    const count = places.filter((place) => place === key).length
    return count === 1 ? [] : [`${key} is in ${count} places`]
  })
}

/** Checks that acknowledged objects exist, with the key in each header, and that links lead to them. */
async function findLost(url, { key, client, clientUserId, userId, orderId }, told) {
  const user = await repeated(told, () => client.user.get(userId)).catch(() => undefined)
  const order = await repeated(told, () => client.labTests.getOrder(orderId)).catch(() => undefined)
  const { linkWebUrl } = await repeated(told, () => client.link.token({ userId }))
  const asBearer = await fetch(`${url}/v3/order/${orderId}`, { headers: { authorization: `Bearer ${key}` } })
  const link = await fetch(linkWebUrl)
  return [
    ...(user?.clientUserId === clientUserId ? [] : [`${key}: the user is lost`]),
    ...(order?.id === orderId ? [] : [`${key}: the order is lost`]),
    ...(asBearer.status === 200 ? [] : [`${key}: as bearer ${asBearer.status}`]),
    ...(link.status === 200 && linkWebUrl.startsWith(url)
      ? []
      : [`${key}: ${linkWebUrl} answers ${link.status}`]),
  ]
}

/** Checks that the order reaches the customer, and that all webhooks until then arrived and are verified. */
async function findUndelivered(url, { key, orderId }, receiver, told) {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const ask = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw Object.assign(new Error(await response.text()), { statusCode: response.status })
    return response.json()
  }
  try {
    const waited = { order_id: orderId, status: 'with_customer', timeout: '60s' }
    await repeated(told, () => ask('POST', '/_petri/wait', waited))
    const message = { order_id: orderId, event_type: 'labtest.order.created', status: 'delivered' }
    await ask('POST', '/_petri/wait', { message, timeout: '60s' })
    for (let tries = 0; tries < 600; tries++) {
      const { data } = await ask('GET', '/_petri/webhooks/messages?limit=500')
      const missing = data.filter(({ id, status }) => status !== 'delivered' || !receiver.messages.has(id))
      if (missing.length === 0) return []
      await pause(100)
    }
    return [`${key}: webhooks are missing`]
  } catch (error) {
    return [`${key}: ${error.message}`]
  }
}

async function inParallel(items, work) {
  const found = []
  const left = items.values()
  const next = async () => {
    for (const item of left) found.push(...(await work(item)))
  }
  await Promise.all(Array.from({ length: CLIENTS }, next))
  return found
}

/** A receiver that verifies webhooks and records their ids. */
async function startReceiver() {
  const webhook = new Webhook(SECRET)
  const messages = new Set()
  const refused = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const text of request.setEncoding('utf8')) body += text
    try {
      webhook.verify(body, request.headers)
      messages.add(request.headers['svix-id'])
      response.writeHead(204).end()
    } catch (error) {
      refused.push(`a webhook is not verified: ${error.message}`)
      response.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/`, messages, refused, stop }
}
