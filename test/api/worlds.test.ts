import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WorldFolder } from '../../src/storage/store.ts'
import { keepingFolder } from '../support/keeping-folder.ts'
import { advance, createUser, postUser, setFeatures } from '../support/orders.ts'
import { KEY, START, startTestPetri, type TestPetri } from '../support/petri.ts'

/** The rows of each world as they are stored; a table that is empty counts as not there. */
function openFolder(): { folder: WorldFolder; rows: (teamId: string) => string } {
  const folder = keepingFolder()
  const rows = (teamId: string) =>
    JSON.stringify(
      [...(folder.stored.get(teamId)?.tables ?? [])]
        .filter(([, table]) => table.size > 0)
        .map(([name, table]) => [name, [...table].map(([id, row]) => [id, JSON.parse(row)])]),
    )
  return { folder: { ...folder, list: async () => [] }, rows }
}

let petri: TestPetri
let rows: (teamId: string) => string
beforeEach(async () => {
  const kept = openFolder()
  rows = kept.rows
  petri = await startTestPetri({ folder: kept.folder })
})
afterEach(() => petri.close())

const withKey = (key: string) => ({ 'x-service-api-key': key })

describe('a new world', () => {
  it('is described with its key, secret, clock, features and counts', async () => {
    const made = await petri.post('/_petri/worlds', {
      name: 'Run 7',
      seed: 7,
      frozen: true,
      now: '2026-03-01T12:00:00+02:00',
      pace: 60,
      webhook_url: 'http://localhost:9000/hooks',
    })
    expect(made).toAnswer(201, {
      name: 'Run 7',
      api_key: expect.stringMatching(/^sk_us_\w{32}$/),
      webhook_secret: expect.stringMatching(/^whsec_/),
      seed: '7',
      scenario: 'happy-path',
      clock: { now: '2026-03-01T10:00:00.000Z', frozen: true, pace: 60 },
      features: { parity: 'sandbox', minor_ordering: false },
      counts: { users: 0 },
    })
    expect(await petri.get('/_petri/world', withKey(made.body.api_key))).toMatchObject({
      status: 200,
      body: made.body,
    })
  })

  it('is live, has a seed like the first, and otherwise the options of the first by default', async () => {
    const { body } = await petri.post('/_petri/worlds')
    expect(body).toMatchObject({
      name: 'Petri',
      seed: '1~1',
      scenario: 'happy-path',
      clock: { frozen: false, pace: 8640 },
    })
  })

  it('shares nothing with another, though both have one seed', async () => {
    const wanted = { frozen: true, seed: 'one' }
    const made = await Promise.all([1, 2, 3].map(() => petri.post('/_petri/worlds', wanted)))
    const keys = [KEY, ...made.map(({ body }) => body.api_key as string)]
    expect(new Set(keys).size).toBe(4)
    const { body: user } = await postUser(petri, 'ada', withKey(keys[1] ?? ''))
    expect(await petri.get(`/v2/user/${user.user_id}`)).toAnswer(404)
    const twin = await postUser(petri, 'ada', withKey(keys[2] ?? ''))
    expect({ ...twin.body, team_id: '' }).toEqual({ ...user, team_id: '' })
    const list = await petri.read('/_petri/worlds')
    expect(list.data.map(({ counts }: { counts: { users: number } }) => counts.users)).toEqual([0, 1, 1, 0])
  })

  it.each([
    [{ frozn: true }, 422, 'Did you mean "frozen"?'],
    [{ scenario: 'hapy-path' }, 400, 'Did you mean "happy-path"?'],
    [{ now: 'tomorrow' }, 422, 'an instant is a text such as'],
    [{ now: '1969-12-31' }, 422, 'an instant lies between'],
    [{ seed: 1.5 }, 422, 'a seed is'],
    [{ seed: '' }, 422, 'a seed is'],
    [{ pace: 0 }, 422, 'greater than or equal to'],
    [{ webhook_url: 'ftp://localhost' }, 422, 'http:// or https://'],
    [{ name: ' ' }, 422, 'at least 1 character'],
    ['[]', 422, 'valid dictionary'],
  ])('is refused when asked for as %j', async (body, status, words) => {
    const answer = await petri.post('/_petri/worlds', body)
    expect(answer).toAnswer(status)
    expect(JSON.stringify(answer.body)).toContain(JSON.stringify(words).slice(1, -1))
    expect(petri.petri.worlds.all()).toHaveLength(1)
  })
})

describe('a world that is dropped', () => {
  it('is gone with its key, the first world too', async () => {
    const { teamId } = petri.world().identity
    const path = `/_petri/worlds/${teamId}`
    expect(await petri.delete(path)).toAnswer(204, null)
    expect(await petri.get('/v2/user')).toAnswer(401)
    expect(await petri.delete(path)).toAnswer(404)
    expect(await petri.read('/_petri/worlds')).toEqual({ data: [], next_cursor: null })
    expect(await petri.post('/_petri/worlds')).toAnswer(201)
  })
})

describe('this world', () => {
  it('takes features, and null puts one back', async () => {
    const set = await setFeatures(petri, { physician_rule: 'grace', sandbox_limits: true })
    expect(set.body.features).toMatchObject({ physician_rule: 'grace', sandbox_limits: true, redraws: false })
    const back = await setFeatures(petri, { physician_rule: null })
    expect(back.body.features).toMatchObject({ physician_rule: 'enforced', sandbox_limits: true })
  })

  it('obeys a feature at once', async () => {
    await setFeatures(petri, { sandbox_limits: true })
    for (let user = 0; user < 50; user++) await postUser(petri, `u${user}`)
    const refused = await petri.petri.app.request('/v2/user', {
      method: 'POST',
      headers: { ...withKey(KEY), 'content-type': 'application/json' },
      body: JSON.stringify({ client_user_id: 'one too many' }),
    })
    expect(refused).toAnswer(400)
  })

  it.each([
    [{ features: { redraw: true } }, 422, 'Did you mean \\"redraws\\"?'],
    [{ features: { parity: 'prod' } }, 422, "Input should be 'sandbox' or 'production'"],
    [{ features: { redraws: 'maybe' } }, 422, 'valid boolean'],
    [{ scenario: 'happypath' }, 400, 'Did you mean \\"happy-path\\"?'],
    [{ pace: 1 }, 422, 'Extra inputs are not permitted'],
  ])('refuses %j and stays as it is', async (body, status, words) => {
    const before = rows(petri.world().identity.teamId)
    const answer = await petri.patch('/_petri/world', body)
    expect(answer).toAnswer(status)
    expect(JSON.stringify(answer.body)).toContain(words)
    expect(rows(petri.world().identity.teamId)).toBe(before)
  })
})

describe('a reset', () => {
  const live = async () => {
    const answers: unknown[] = []
    for (const name of ['ada', 'bob']) answers.push((await postUser(petri, name)).body)
    answers.push((await petri.delete(`/v2/user/${(answers[0] as { user_id: string }).user_id}`)).body)
    answers.push((await advance(petri, '8d')).body)
    answers.push(await petri.read('/v2/user'), await petri.read('/_petri/world'))
    return JSON.stringify(answers)
  }

  it('restores a world to its creation, to the byte', async () => {
    const { teamId } = petri.world().identity
    const born = await petri.read('/_petri/world')
    const atBirth = rows(teamId)
    const firstLife = await live()
    const after = rows(teamId)
    await petri.patch('/_petri/clock', { frozen: false, pace: 5 })
    await setFeatures(petri, { redraws: true })
    expect(await petri.post('/_petri/reset')).toAnswer(200, born)
    expect(rows(teamId)).toBe(atBirth)
    expect(await live()).toBe(firstLife)
    expect(rows(teamId)).toBe(after)
  })

  it('creates the world with another seed, with the same key, team and secret', async () => {
    const { identity } = petri.world()
    const firstLife = await live()
    expect(await petri.post('/_petri/reset', { seed: 2 })).toMatchObject({
      body: { seed: '2', api_key: KEY, team_id: identity.teamId, webhook_secret: identity.webhookSecret },
    })
    expect(await live()).not.toBe(firstLife)
  })

  describe('of a live world', () => {
    const lives = async (...bodies: object[]) => {
      const ticking = await startTestPetri({ world: { frozen: false, now: null } })
      const ids: string[] = []
      for (const body of [undefined, ...bodies]) {
        if (body) expect(await ticking.post('/_petri/reset', body)).toAnswer(200)
        ids.push((await postUser(ticking, 'ada')).body.user_id)
      }
      await ticking.close()
      return ids
    }

    it('gives other ids each time, so that a receiver that knows the old ones takes the new webhooks', async () => {
      const [first, second, third] = await lives({}, {})
      expect(new Set([first, second, third]).size).toBe(3)
      expect(await lives({}, {})).toEqual([first, second, third])
    })

    it('gives the same ids if that is asked for, or the ids of a seed', async () => {
      const [first, second, third, other, back] = await lives(
        { new_ids: false },
        {},
        { new_ids: false },
        { seed: '1' },
      )
      expect([second, back]).toEqual([first, first])
      expect(third).not.toBe(first)
      expect(other).toBe(third)
    })
  })

  it('of a frozen world gives other ids if that is asked for', async () => {
    const firstLife = await live()
    await petri.post('/_petri/reset', { new_ids: true })
    expect(await live()).not.toBe(firstLife)
    await petri.post('/_petri/reset', { seed: '1' })
    expect(await live()).toBe(firstLife)
  })

  it('goes back to the instant of creation, also if none was given', async () => {
    let now = START
    const ticking = await startTestPetri({ wall: () => now, world: { now: null } })
    now += 60_000
    expect((await ticking.post('/_petri/reset')).body.clock.now).toBe(new Date(START).toISOString())
    await ticking.close()
  })

  it('can be asked for many times at once, and the key works all the while', async () => {
    const calls = [0, 1, 2, 3].flatMap(() => [petri.post('/_petri/reset'), petri.get('/v2/user')])
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
  })

  it('ends the jobs of the old world, which do not reach the new one', async () => {
    const { world: old, teamId } = { world: petri.world(), teamId: petri.world().identity.teamId }
    const atBirth = rows(teamId)
    await createUser(petri)
    await petri.post('/_petri/reset')
    old.emit('labtest.order.updated', { userId: null, clientUserId: null }, {})
    old.agenda.schedule({ due: 0, kind: 'users.erase', subject: 'x' })
    old.agenda.runDue()
    await expect(old.agenda.advanceTo(START + 1)).rejects.toMatchObject({ kind: 'conflict' })
    expect(rows(teamId)).toBe(atBirth)
  })
})
