import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startPetri } from '../../src/index.ts'
import * as cli from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'

const mine = 'name: mine\nsummary: Mine.\nmethod: testkit\nsteps:\n  - { after: 1d, status: cancelled }\n'
const myFeed =
  'name: my-feed\nsummary: Mine.\nkind: feed\nsteps:\n  - { after: 1d, device: { device_version: "2.0" } }\n'
const myPersona = 'name: my-persona\nsummary: Mine.\nkind: persona\nage: 31\n'
const share = (source: string, name = 'mine') =>
  [
    `/_petri/scenarios/${name}?all_worlds=true`,
    { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ source }) },
  ] as const

describe('a scenario that is uploaded once for all worlds', () => {
  it('serves the worlds there are, and those made later', async () => {
    const petri = await startPetri()
    const before = await petri.world()
    const response = await petri.fetch(...share(mine))
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { name: 'mine', kind: 'order', summary: 'Mine.', uploaded: false, source: mine },
    ])
    for (const world of [petri, before, await petri.world({ scenario: 'mine' })]) {
      const { id } = await world.orders.place({ scenario: 'mine' })
      await world.clock.advance('1d')
      expect((await world.orders.get(id)).last_event.status).toMatch(/cancelled/)
    }
    await petri.close()
  })

  it('stays after a reset, and gives way to one uploaded to the world', async () => {
    const petri = await startPetri()
    await petri.fetch(...share(mine))
    await petri.reset()
    expect(await petri.scenarios.get('mine')).toMatchObject({ summary: 'Mine.', uploaded: false })
    await petri.scenarios.add('mine', mine.replace('Mine.', 'Own.'))
    expect(await petri.scenarios.get('mine')).toMatchObject({ summary: 'Own.', uploaded: true })
    await petri.close()
  })

  it('can be one of feeds, or a persona', async () => {
    const petri = await startPetri()
    const feed = await petri.fetch(...share(myFeed, 'my-feed'))
    expect([feed.status, await feed.json()]).toMatchObject([200, { name: 'my-feed', kind: 'feed' }])
    await expect(petri.scenarios.add('my-persona', myPersona)).rejects.toThrow('?all_worlds=true')
    const persona = await petri.fetch(...share(myPersona, 'my-persona'))
    expect([persona.status, await persona.json()]).toMatchObject([200, { kind: 'persona' }])
    const later = await petri.world()
    const put = (path: string, body: object) =>
      later.fetch(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect(await put('/_petri/world/feed', { scenario: 'my-feed' })).toAnswer(200)
    const { user_id } = await later.users.create()
    const assigned = await put(`/_petri/users/${user_id}/persona`, { persona: 'my-persona' })
    expect(await assigned.json()).toMatchObject({ persona: 'my-persona' })
    await petri.close()
  })

  it('has a name of its own among all kinds, also those uploaded to one of the worlds', async () => {
    const petri = await startPetri()
    const world = await petri.world()
    await world.scenarios.add('my-feed', myFeed)
    const response = await petri.fetch(...share(mine.replace('name: mine', 'name: my-feed'), 'my-feed'))
    expect([response.status, await response.json()]).toEqual([
      409,
      { detail: '"my-feed" is the name of a feed scenario; give this scenario of orders another name.' },
    ])
    await petri.close()
  })

  it('is refused with the line of the error, and leaves nothing behind', async () => {
    const petri = await startPetri()
    const response = await petri.fetch(...share(mine.replace('cancelled', 'gone')))
    expect(response).toAnswer(422)
    expect(await petri.fetch('/_petri/scenarios/mine')).toAnswer(404)
    await petri.close()
  })
})

describe('over a restart', () => {
  beforeEach(() => void vi.unstubAllGlobals())

  it('it needs the control token, and is kept', { timeout: 30_000, tags: 'slow' }, async () => {
    const data = join(makeFolder('petri-'), 'data')
    const options = ['--data', data, '--control-token', 'control']
    const first = await cli.startPetri(options)
    const [path, init] = share(mine)
    expect(await fetch(`${first.ready.url}${path}`, init)).toAnswer(401)
    const headers = { ...init.headers, authorization: 'Bearer control' }
    expect(await fetch(`${first.ready.url}${path}`, { ...init, headers })).toAnswer(200)
    await cli.stop(first.child, 'SIGKILL')
    const second = await cli.startPetri(options)
    const key = { headers: { 'x-vital-api-key': 'sk_us_petri' } }
    expect(await fetch(`${second.ready.url}/_petri/scenarios/mine`, key)).toAnswer(200)
    await cli.stop(second.child)
  })
})
