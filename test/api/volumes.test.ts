/** @module-tag slow */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { type FakeReceiver, fakeReceiver, type Received } from '../support/receiver.ts'

// `scripts/keep-volume.mjs` wrote these folders with the versions that they are named after. That before 0.1.0 was written when
// scenarios had `webhooks:` and findings `history:`, and when an ETL target could be a folder. Its `webhooks.json` has the orders
// and webhooks that the Petri which wrote it gave until it was idle, from what it had stored and from each snapshot.

const volumes = new URL('../volumes/', import.meta.url)
const headers = { 'x-service-api-key': 'sk_us_petri' }
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, volumes), 'utf8'))

let data: string
let petri: TestPetri
let receiver: FakeReceiver
const warnings: string[] = []

async function open(version: string, options: Parameters<typeof startTestPetri>[0] = {}) {
  data = makeFolder('petri-volume-')
  cpSync(new URL(`${version}/data`, volumes), data, { recursive: true })
  const folder = await fileFolder(data, { warn: (message) => warnings.push(message) })
  receiver = fakeReceiver(
    () => 200,
    () => petri.petri.worlds.byKey('sk_us_petri') as World,
  )
  const { transport } = receiver
  petri = await startTestPetri({ folder, transport, world: { apiKey: 'sk_us_petri' }, ...options })
  expect([warnings, petri.petri.worlds.setAside]).toEqual([[], []])
}
afterEach(async () => {
  await petri.close()
  rmSync(data, { recursive: true })
})

const restore = async (name: string) =>
  expect(await petri.post(`/_petri/snapshots/${name}/restore`, {}, headers), name).toAnswer(200)

describe.each(readdirSync(volumes))('a data folder of version %s', (version) => {
  beforeEach(() => open(version))

  it('has all that it had, and each id, time and status is the same', async () => {
    const replies: Record<string, object> = readJson(`${version}/replies.json`)
    for (const [path, body] of Object.entries(replies))
      expect.soft(await petri.read(path, headers), path).toMatchObject(body)
  })

  it('goes on: orders end, snapshots are restored, and scenarios of all worlds are followed', async () => {
    const statusesOf = async (client: string) => {
      const user = (await petri.read(`/v2/user/resolve/${client}`, headers)).user_id
      const { orders } = await petri.read(`/v3/orders?user_id=${user}`, headers)
      return orders.map(field('status'))
    }
    expect(await statusesOf('linus')).toEqual(['received', 'received'])
    await petri.post('/_petri/clock/advance', { until: 'idle' }, headers)
    expect(await statusesOf('linus')).toEqual(['cancelled', 'cancelled'])
    expect(await statusesOf('ada')).toEqual(['completed'])
    await restore('placed')
    expect(await statusesOf('linus')).toEqual(['received', 'received'])
    expect(await statusesOf('ada')).toEqual([])
    const placed = await petri.post('/_petri/orders', { scenario: 'kept' }, headers)
    await petri.post('/_petri/clock/advance', { by: '1d' }, headers)
    expect((await petri.read(`/v3/order/${placed.body.id}`, headers)).status).toBe('cancelled')
  })
})

describe('the data folder of before version 0.1.0', () => {
  const webhookOf = ({ at, url, body, headers }: Received) => {
    const { event_type, data } = JSON.parse(body)
    const parts = [new Date(at).toISOString(), new URL(url).pathname, event_type, data?.last_event?.status]
    // The signature depends on the bytes of the body, the id and the secret.
    return [...parts, headers['svix-signature']?.slice(3, 11)].filter(Boolean).join(' ')
  }

  it.each(['stored', 'placed', 'under-way'])(
    'gives the same orders and webhooks as then, from what is %s',
    async (from) => {
      await open('before-0.1.0')
      if (from !== 'stored') await restore(from)
      await petri.post('/_petri/clock/advance', { until: 'idle' }, headers)
      const { orders } = await petri.read('/v3/orders', headers)
      const ends = orders.map(
        ({ id, events }: { id: string; events: { status: string; created_at: string }[] }) => {
          const last = events.at(-1)
          return [id, `${last?.status} ${last?.created_at}`]
        },
      )
      const webhooks = receiver.received.map(webhookOf)
      expect({ orders: Object.fromEntries(ends), webhooks }).toEqual(
        readJson('before-0.1.0/webhooks.json')[from],
      )
    },
  )

  it('still has the webhook faults of the world and of an endpoint', async () => {
    await open('before-0.1.0')
    const { endpoints, ...ofWorld } = await petri.read('/_petri/webhooks/faults', headers)
    expect(ofWorld).toMatchObject({ duplicate: 1, bad_signature: false })
    expect(endpoints).toMatchObject([{ duplicate: 1, bad_signature: true }])
  })

  it('drops an ETL target with a folder, also in snapshots, and keeps one with a URL', async () => {
    await open('before-0.1.0')
    const target = '/_petri/etl/target'
    const none = { url: null, delivered: 0, waiting: 0, last_error: null }
    expect(await petri.read(target, headers)).toEqual(none)
    const { data } = await petri.read('/_petri/worlds', headers)
    const second = data.find(({ name }: { name: string }) => name === 'second')
    const ofSecond = await petri.get(target, { 'x-service-api-key': second.api_key })
    expect(ofSecond.body).toMatchObject({ url: 'http://receiver.test/etl' })
    for (const name of ['placed', 'under-way']) {
      await restore(name)
      expect(await petri.read(target, headers), name).toEqual(none)
    }
  })

  it('starts and lists its scenarios beside a finding with a history', async () => {
    const scenarios = [new URL('before-0.1.0/scenarios', volumes).pathname]
    await open('before-0.1.0', { scenarios })
    const list = await petri.get('/_petri/scenarios', headers)
    expect(list).toAnswer(200)
    const names = list.body.data.map(field('name'))
    expect(names).toEqual(expect.arrayContaining(['kept', 'kept-shared', 'kept-uploaded', 'kept-persona']))
  })
})
