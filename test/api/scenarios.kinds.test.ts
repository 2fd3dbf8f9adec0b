import { beforeEach, describe, expect, it } from 'vitest'
import { sharedScenarioFiles } from '../../src/control/scenario-files.ts'
import { uploadedFeeds } from '../../src/scenarios/feeds/table.ts'
import { uploadedScenarios } from '../../src/scenarios/table.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { advance, createUser, readFollowed } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { uploadScenario } from '../support/scenarios.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestPetri()
})

const feedFile = (name: string) => ({ name, summary: 'A test.', kind: 'feed', steps: [] })
const upload = (name: string, body: readonly object[] = steps) => uploadScenario(petri, name, 'testkit', body)
const steps = [{ after: '1d', status: 'cancelled' }]
const namesOf = async (query = '') =>
  (await petri.read(`/_petri/scenarios${query}`)).data.map(
    ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`,
  )

describe('the scenarios of a world', () => {
  it('are listed with their kind, or those of one kind', async () => {
    const all = await namesOf()
    expect(all).toEqual(expect.arrayContaining(['order happy-path', 'feed steady', 'persona athlete']))
    expect(new Set(all).size).toBe(all.length)
    const ofKinds = [
      await namesOf('?kind=order'),
      await namesOf('?kind=feed'),
      await namesOf('?kind=persona'),
    ]
    expect(ofKinds.flat()).toEqual(all)
    expect(await petri.get('/_petri/scenarios?kind=orders')).toAnswer(422)
  })

  it('are shown with what happens in them', async () => {
    const order = await petri.read('/_petri/scenarios/happy-path')
    const feed = await petri.read('/_petri/scenarios/gap-and-late-backfill')
    const persona = await petri.read('/_petri/scenarios/athlete')
    expect([order.kind, order.steps, Object.keys(order.statuses).length]).toEqual(['order', [], 2])
    expect([feed.kind, feed.method, feed.statuses, feed.steps.length > 0]).toEqual(['feed', null, {}, true])
    expect([persona.kind, persona.statuses, persona.steps]).toEqual(['persona', {}, []])
    expect(persona.source).toContain('kind: persona')
  })

  it('have names of one kind each, whichever is uploaded first', async () => {
    await upload('mine')
    const second = await petri.put('/_petri/scenarios/mine', feedFile('mine'))
    expect([second.status, second.body.detail]).toEqual([
      409,
      '"mine" is the name of a scenario of orders; give this feed scenario another name.',
    ])
    await petri.delete('/_petri/scenarios/mine')
    expect(await petri.put('/_petri/scenarios/mine', feedFile('mine'))).toAnswer(200)
    expect(await upload('mine')).toAnswer(409)
    expect(await upload('athlete')).toAnswer(409)
    expect(await petri.delete('/_petri/scenarios/athlete')).toAnswer(409)
  })

  it('are checked as what they say they are', async () => {
    const feed = await petri.post('/_petri/scenarios/check', feedFile('mine'))
    expect(feed.body).toMatchObject({ valid: true, kind: 'feed', steps: [] })
    const persona = await petri.post('/_petri/scenarios/check', { kind: 'persona', name: 'x', summary: 'X.' })
    expect(persona.body).toMatchObject({ valid: true, kind: 'persona', name: 'x' })
    const broken = await petri.post('/_petri/scenarios/check', { kind: 'persona', name: 'x' })
    expect(broken.body).toMatchObject({ valid: false, kind: 'persona', name: null })
  })

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'have none named %s, which every object has',
    async (name) => {
      expect(await petri.get(`/_petri/scenarios/${name}`)).toAnswer(404)
      expect(await petri.delete(`/_petri/scenarios/${name}`)).toAnswer(404)
      expect(await petri.post('/_petri/orders', { scenario: name })).toAnswer(400)
      const user_id = await createUser(petri, name)
      const put = (what: string, body: object) => petri.put(`/_petri/users/${user_id}/${what}`, body)
      expect(await put('persona', { persona: name })).toAnswer(400)
      expect(await put('feed', { scenario: name })).toAnswer(400)
      expect(await put('scenario', { scenario: name })).toAnswer(400)
    },
  )

  it('can have one named constructor', async () => {
    expect(await upload('constructor')).toAnswer(200)
    expect(await petri.read('/_petri/scenarios/constructor')).toMatchObject({ uploaded: true })
  })
})

describe('a stored scenario that is no longer valid', () => {
  const source = 'name: old\nsummary: Old.\nmethod: testkit\nsteps:\n  - { after: 1d, status: gone }\n'
  const feedSource = 'name: old-feed\nsummary: Old.\nkind: feed\nsteps:\n  - { after: 1d, vanish: true }\n'

  const rowOf = async (name: string) =>
    (await petri.read('/_petri/scenarios')).data.find((row: { name: string }) => row.name === name)

  it('is listed with its error, cannot be used, and can be replaced or removed', async () => {
    const { db } = petri.world()
    db.put(uploadedScenarios, { name: 'old', source, zip: '00199' })
    db.put(uploadedFeeds, { name: 'old-feed', source: feedSource })
    expect(await rowOf('old')).toMatchObject({ kind: 'order', uploaded: true, summary: '', method: null })
    expect((await rowOf('old')).error).toMatch(/^old:5: step 1: .*gone/)
    expect((await rowOf('old-feed')).error).toContain('"vanish" is not known here')
    expect(await petri.read('/_petri/scenarios/old')).toMatchObject({ source, statuses: {} })
    const placed = await petri.post('/_petri/orders', { scenario: 'old' })
    expect([placed.status, placed.body.detail]).toEqual([
      400,
      expect.stringContaining('The stored scenario "old" is no longer valid. old:5: step 1:'),
    ])
    expect(await petri.post('/_petri/orders', { zip: '00199' })).toAnswer(400)
    expect(await petri.put('/_petri/world/feed', { scenario: 'old-feed' })).toAnswer(400)
    expect(await upload('old')).toAnswer(200)
    expect(await rowOf('old')).toMatchObject({ error: null, method: 'testkit' })
    expect(await petri.delete('/_petri/scenarios/old-feed')).toAnswer(204)
    expect(await rowOf('old-feed')).toBeUndefined()
  })

  it('is left by the orders that follow it, at their next step', async () => {
    await upload('mine')
    const { id } = (await petri.post('/_petri/orders', { scenario: 'mine' })).body
    const { db } = petri.world()
    db.put(uploadedScenarios, { name: 'mine', source: source.replace('old', 'mine'), zip: null })
    await advance(petri, '3d')
    expect(await readFollowed(petri, id)).toMatchObject({
      scenario: 'mine',
      left_because: 'its scenario is missing or no longer valid',
    })
  })

  it('stops no start, whether of one world or of all', { tags: 'slow' }, async () => {
    const { start } = dataFolder(() => undefined)
    petri = await start()
    petri.world().db.put(uploadedScenarios, { name: 'old', source, zip: null })
    await petri.petri.worlds.organisation.change((db) =>
      db.put(sharedScenarioFiles, { name: 'old-feed', source: feedSource }),
    )
    await petri.close()
    petri = await start()
    expect([(await rowOf('old')).uploaded, (await rowOf('old-feed')).uploaded]).toEqual([true, false])
    expect((await rowOf('old-feed')).error).toContain('old-feed:5')
    expect(await petri.put('/_petri/world/feed', { scenario: 'old-feed' })).toAnswer(400)
    const replaced = await petri.put('/_petri/scenarios/old-feed?all_worlds=true', feedFile('old-feed'))
    expect([replaced.status, (await rowOf('old-feed')).error]).toEqual([200, null])
    await petri.close()
  })
})
