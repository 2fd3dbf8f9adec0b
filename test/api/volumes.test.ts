import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'

// `scripts/keep-volume.mjs` wrote these folders with the versions that they are named after; 0.1.0 also has an ETL target
// with a folder, which could only be set then.

const volumes = new URL('../volumes/', import.meta.url)

describe.each(readdirSync(volumes))('a data folder that version %s wrote', { tags: 'slow' }, (version) => {
  let data: string
  let petri: TestPetri
  const warnings: string[] = []
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'petri-volume-'))
    cpSync(new URL(`${version}/data`, volumes), data, { recursive: true })
    const folder = await fileFolder(data, { warn: (message) => warnings.push(message) })
    petri = await startTestPetri({ folder, world: { apiKey: 'sk_us_petri' } })
  })
  afterEach(async () => {
    await petri.close()
    rmSync(data, { recursive: true })
  })

  const headers = { 'x-service-api-key': 'sk_us_petri' }

  it('has all that it had, and each id, time and status is the same', async () => {
    expect([warnings, petri.petri.worlds.setAside]).toEqual([[], []])
    const replies: Record<string, unknown> = JSON.parse(
      readFileSync(new URL(`${version}/replies.json`, volumes), 'utf8'),
    )
    for (const [path, body] of Object.entries(replies))
      expect.soft((await petri.get(path, headers)).body, path).toMatchObject(body as object)
  })

  it('drops an ETL target with a folder, also in snapshots, and keeps one with a URL', async () => {
    const target = '/_petri/etl/target'
    const none = { url: null, delivered: 0, waiting: 0, last_error: null }
    expect((await petri.get(target, headers)).body).toEqual(none)
    const { data } = (await petri.get('/_petri/worlds', headers)).body
    const second = data.find(({ name }: { name: string }) => name === 'second')
    const ofSecond = await petri.get(target, { 'x-service-api-key': second.api_key })
    expect(ofSecond.body).toMatchObject({ url: 'http://127.0.0.1:9/etl' })
    for (const name of ['half-a-day', 'idle']) {
      expect((await petri.post(`/_petri/snapshots/${name}/restore`, {}, headers)).status, name).toBe(200)
      expect((await petri.get(target, headers)).body, name).toEqual(none)
    }
  })

  it('goes on: orders end, snapshots are restored, and scenarios of all worlds are followed', async () => {
    const statusOf = async (client: string) => {
      const user = (await petri.get(`/v2/user/resolve/${client}`, headers)).body.user_id
      return (await petri.get(`/v3/orders?user_id=${user}`, headers)).body.orders[0].status
    }
    expect(await statusOf('grace')).not.toBe('completed')
    await petri.post('/_petri/clock/advance', { until: 'idle' }, headers)
    expect(await statusOf('grace')).toBe('completed')
    await petri.post('/_petri/snapshots/half-a-day/restore', {}, headers)
    expect(await statusOf('ada')).toBe('received')
    const placed = await petri.post('/_petri/orders', { scenario: 'kept' }, headers)
    await petri.post('/_petri/clock/advance', { by: '1d' }, headers)
    expect((await petri.get(`/v3/order/${placed.body.id}`, headers)).body.status).toBe('cancelled')
  })
})
