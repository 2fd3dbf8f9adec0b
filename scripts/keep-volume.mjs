// Writes a data folder with this version into test/volumes, for the tests of later versions. Run before a release, after "npm run build".
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectToPetri } from '../dist/index.js'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const volume = join(root, 'test/volumes', version)
const data = join(volume, 'data')
rmSync(volume, { recursive: true, force: true })
mkdirSync(volume, { recursive: true })

/** Starts Petri on the folder and ends it with a signal, after what `use` did with it. */
async function withPetri(signal, use) {
  const flags = [
    '--port',
    '0',
    '--data',
    data,
    '--frozen',
    '--now',
    '2026-01-05T09:00:00Z',
    '--log-format',
    'json',
  ]
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'start', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line)
    if (url) {
      await use(await connectToPetri({ url })).finally(() => child.kill(signal))
      break
    }
  }
  await ended
}

const method = 'testkit'
const sharedWithFaults = {
  name: 'kept-shared',
  summary: 'A scenario of all worlds whose webhooks come twice.',
  method,
  steps: [
    { after: '1h', status: 'requisition_created' },
    { after: '1d', status: 'cancelled' },
  ],
  webhook_faults: { duplicate: 2 },
}
const uploadedWithFaults = {
  source: `# A comment with webhook_faults: in it.
name: kept-uploaded
summary: "An uploaded scenario, webhook_faults: included."
method: testkit
steps:
  - { after: 1h, status: requisition_created }
  - { after: 1d, status: cancelled }
webhook_faults: { delay: 3h } # late ones
`,
}
const persona = {
  source: 'name: kept-persona\nsummary: A woman of 40.\nkind: persona\nsex: female\nage: 40\n',
}
const replies = {}
const orders = []

await withPetri('SIGTERM', async (petri) => {
  await petri.call('PUT', '/_petri/scenarios/kept?all_worlds=true', {
    ...{ name: 'kept', summary: 'A scenario of all worlds.', method },
    steps: [{ after: '1d', status: 'cancelled' }],
  })
  await petri.call('PUT', '/_petri/scenarios/kept-shared?all_worlds=true', sharedWithFaults)
  await petri.call('PUT', '/_petri/scenarios/kept-persona?all_worlds=true', persona)
  await petri.call('PUT', '/_petri/scenarios/kept-uploaded', uploadedWithFaults)
  await petri.call('PUT', '/_petri/world/feed', { scenario: 'steady' })
  await petri.webhooks.deliverTo('http://receiver.test/world')
  await petri.webhooks.deliverTo('http://receiver.test/own')
  const { data: endpoints } = await petri.call('GET', '/_petri/webhooks/endpoints')
  const { id: endpoint_id } = endpoints.find(({ url }) => url.endsWith('/own'))
  await petri.call('PUT', '/_petri/webhooks/faults', { duplicate: 1 })
  await petri.call('PUT', '/_petri/webhooks/faults', { endpoint_id, bad_signature: true })
  const ada = await petri.users.create('ada')
  const weighed = { timestamp: '2026-01-05T07:00:00+00:00', value: 71.5 }
  await petri.users.addData(ada.user_id, { resource: 'weight', provider: 'withings', samples: [weighed] })
  const linus = await petri.users.create('linus')
  const personPath = `/_petri/users/${linus.user_id}/persona`
  await petri.call('PUT', personPath, { persona: 'kept-persona' })
  for (const scenario of ['kept-shared', 'kept-uploaded'])
    orders.push(await petri.orders.place({ user_id: linus.user_id, scenario }))
  await petri.clock.advance('30m')
  await petri.snapshots.save('placed')
  await petri.orders.place({ user_id: ada.user_id })
  await petri.clock.advance('2h')
  await petri.snapshots.save('under-way')
  const second = await petri.world({ name: 'second', seed: 'second' })
  await second.call('PUT', '/_petri/etl/target', { url: 'http://receiver.test/etl' })
  replies[personPath] = await petri.call('GET', personPath)
})
// These changes are in the journal only, because the process is killed.
await withPetri('SIGKILL', async (petri) => {
  const grace = await petri.users.create('grace')
  orders.push(await petri.orders.place({ user_id: grace.user_id }))
  orders.push(await petri.orders.place({ user_id: grace.user_id, scenario: 'kept-uploaded' }))
  await petri.clock.advance('2h')
  for (const path of [
    ...['/v2/user', `/v2/user/providers/${grace.user_id}`],
    ...orders.map(({ id }) => `/v3/order/${id}`),
    ...['clock', 'snapshots', 'world/feed', 'worlds', 'webhooks/endpoints'].map((name) => `/_petri/${name}`),
  ])
    replies[path] = await petri.call('GET', path)
})
for (const file of ['.gitignore', 'petri.lock', 'running.json']) rmSync(join(data, file), { force: true })
writeFileSync(join(volume, 'replies.json'), `${JSON.stringify(replies, null, 2)}\n`)
