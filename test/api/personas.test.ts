import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPersona } from '../../src/scenarios/read.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import {
  address,
  changeInfo,
  connectDemo,
  createUser as createNamed,
  patient,
  postUser,
} from '../support/orders.ts'
import { forAllTests, startTestPetri, type TestPetri } from '../support/petri.ts'
import { openData } from '../support/wearables.ts'

const petri = forAllTests()

let users = 0
const createUser = (of: TestPetri) => createNamed(of, `person-${++users}`)
const assign = (userId: string, persona: string | null) =>
  petri.put(`/_petri/users/${userId}/persona`, { persona })
const truthOf = (userId: string, query = '') => petri.read(`/_petri/users/${userId}/truth${query}`)

describe('a persona', () => {
  it('is who the user is from that day on', async () => {
    const userId = await createUser(petri)
    expect((await assign(userId, 'type-2-diabetes')).body).toEqual({
      user_id: userId,
      persona: 'type-2-diabetes',
      begins: '2026-01-05',
    })
    const truth = await truthOf(userId)
    expect(truth).toMatchObject({ persona: 'type-2-diabetes', sex: 'female' })
    expect(truth.birth_date).toMatch(/^196[78]-/)
    expect(truth.conditions).toContainEqual({
      name: 'type_2_diabetes',
      since: expect.stringMatching(/^202[01]-/),
      until: null,
      diagnosed: true,
      degree: expect.any(Number),
      control: 0,
    })
    expect(truth.treatments.map(field('name'))).toEqual(['antihypertensive'])
    expect(truth.traits.fasting_glucose).toBeGreaterThan(7)
  })

  it('gives the profile of a wearable its sex, birth date and height', async () => {
    const userId = await createUser(petri)
    await assign(userId, 'atrial-fibrillation')
    await connectDemo(petri, userId, 'fitbit')
    openData(petri, userId)
    const { height_cm } = (await truthOf(userId)).traits
    expect(await petri.read(`/v2/summary/profile/${userId}`)).toMatchObject({
      sex: 'male',
      birth_date: expect.stringMatching(/^195[01]-/),
      height: Math.round(height_cm),
    })
  })

  it.each([
    ['type-2-diabetes', true],
    ['atrial-fibrillation', false],
  ])('%s has glucose of a sensor on the phone: %s, and of an own sensor always', async (persona, isThere) => {
    const userId = await createUser(petri)
    await assign(userId, persona)
    for (const provider of ['apple_health_kit', 'freestyle_libre']) await connectDemo(petri, userId, provider)
    openData(petri, userId)
    const days = 'start_date=2026-01-02&end_date=2026-01-05'
    const { groups } = await petri.read(`/v2/timeseries/${userId}/glucose/grouped?${days}`)
    expect([groups.freestyle_libre !== undefined, groups.apple_health_kit !== undefined]).toEqual([
      true,
      isThere,
    ])
  })

  it('can be chosen in the call that creates the user', async () => {
    const created = await petri.post(
      '/v2/user',
      { client_user_id: 'runner' },
      { 'x-petri-persona': 'athlete' },
    )
    expect((await truthOf(created.body.user_id)).persona).toBe('athlete')
  })

  it('can be chosen with the id of the user', async () => {
    const created = await petri.post('/_petri/users', { persona: 'shift-worker' })
    expect((await truthOf(created.body.user_id)).persona).toBe('shift-worker')
    const refused = await petri.post('/_petri/users', { client_user_id: 'none', persona: 'shift-worke' })
    expect(refused).toRefuse(400, { error_message: expect.stringContaining('"shift-worker"') })
    expect(await petri.get('/v2/user/resolve/none')).toAnswer(404)
  })

  it.each([
    ['child', /^201[67]-/],
    ['centenarian', /^192[45]-/],
    ['leap-day', /^1992-02-29$/],
  ])('can be chosen by the end of the client_user_id: #%s', async (name, birthDate) => {
    const { body } = await postUser(petri, `ada#${name}`)
    expect(body.client_user_id).toBe(`ada#${name}`)
    const truth = await truthOf(body.user_id)
    expect([truth.persona, truth.birth_date]).toEqual([name, expect.stringMatching(birthDate)])
  })

  it('is not chosen by an end that is no persona', async () => {
    const { body } = await postUser(petri, 'ada#nobody')
    expect((await truthOf(body.user_id)).persona).toBeNull()
  })

  it('ends when it is taken back: the person of the seed is there again', async () => {
    const userId = await createUser(petri)
    const before = await truthOf(userId)
    await assign(userId, 'pregnancy')
    expect(await truthOf(userId)).not.toEqual(before)
    expect((await assign(userId, null)).body.persona).toBeNull()
    expect(await truthOf(userId)).toEqual(before)
  })

  it('is refused for a user who cannot be it, and nothing changes', async () => {
    const userId = await createUser(petri)
    await changeInfo(petri, userId, { ...patient, address, gender: 'male', dob: '2015-06-01' })
    const before = await truthOf(userId)
    expect(before).toMatchObject({ sex: 'male', birth_date: '2015-06-01' })
    expect(await assign(userId, 'type-1-diabetes')).toRefuse(
      400,
      "The persona type-1-diabetes has type_1_diabetes since before the user's birth on 2015-06-01.",
    )
    expect(await assign(userId, 'athlet')).toRefuse(
      400,
      'There is no persona "athlet". Did you mean "athlete"?',
    )
    expect(await truthOf(userId)).toEqual(before)
  })
})

describe('the bundled personas', () => {
  it('are listed and shown, each with what it says', async () => {
    const { data } = await petri.read('/_petri/scenarios?kind=persona')
    expect(data).toHaveLength(17)
    for (const { name } of data) {
      const userId = await createUser(petri)
      expect(await assign(userId, name), name).toAnswer(200)
      const shown = await petri.get(`/_petri/scenarios/${name}`)
      expect(shown.body.source).toContain(`name: ${name}`)
    }
    expect(await petri.get('/_petri/scenarios/athlet')).toAnswer(404)
  })
})

describe('what is true of a user', () => {
  it('has race and ethnicity: those of the demographics, otherwise drawn', async () => {
    const userId = await createUser(petri)
    const { race, ethnicity } = await truthOf(userId)
    expect([typeof race, typeof ethnicity]).toEqual(['string', 'string'])
    expect(await changeInfo(petri, userId, { ...patient, address, race: 'asian' })).toAnswer(200)
    expect((await truthOf(userId)).race).toBe('asian')
  })

  it('has the same episodes in every window', async () => {
    const userId = await createUser(petri)
    const year = await truthOf(userId, '?from=2025-01-01&until=2025-12-31')
    const spring = await truthOf(userId, '?from=2025-03-01&until=2025-05-31')
    expect(year.episodes.length).toBeGreaterThan(2)
    expect(spring.episodes).toEqual(
      year.episodes.filter(
        ({ since, until }: { since: string; until: string }) => since <= '2025-05-31' && until > '2025-03-01',
      ),
    )
  })
})

const file = (text: string) => `name: mine\nsummary: Someone.\nkind: persona\n${text}\n`
const refusal = (text: string): string => {
  try {
    readPersona(file(text), 'mine.yaml')
    return 'fine'
  } catch (error) {
    return (error as Error).message
  }
}

describe('a file of a persona', () => {
  it.each([
    ['sex: male\nconditions: [{ name: pregnancy }]', 'mine.yaml:5: name "pregnancy" needs sex: female'],
    ['conditions: [{ name: pregnancy }]', 'mine.yaml:4: name "pregnancy" needs sex: female'],
    [
      'treatments: [{ name: contraceptive_pill }]',
      'mine.yaml:4: name "contraceptive_pill" needs sex: female',
    ],
    [
      'age: 10\nconditions:\n  - { name: hypertension, since: 11y }',
      'mine.yaml:6: since "11y" is before birth: the person is 10 years old',
    ],
    ['traits: { restin_heart: 50 }', '"restin_heart" is not known here. Did you mean "resting_heart"?'],
    ['traits: { resting_heart: 105.5 }', 'resting_heart must be at most 105; it is 105.5'],
    ['traits: { resting_heart: 37.5 }', 'resting_heart must be at least 38; it is 37.5'],
    ['age: 110.5', 'age must be at most 110; it is 110.5'],
    ['age: -0.5', 'age must be at least 0; it is -0.5'],
    ['born: 1985-02-30', 'born "1985-02-30" is not a date'],
    ['conditions: [{ name: diabetis }]', 'name must be one of'],
    ['treatments: [{ name: statine }]', 'Did you mean "statin"?'],
    ['episodes: [{ name: illness }]', 'lasts is missing'],
    ['episodes: [{ name: illness, lasts: soon }]', 'write 10d, 6w or 3y'],
    ['conditions: [{ name: liver, since: 1y, after: 2d }]', 'cannot be combined with since'],
    ['conditions: [{ name: liver, degree: 1.1 }]', 'degree must be at most 1; it is 1.1'],
    ['conditions: [{ name: liver, degree: -0.1 }]', 'degree must be at least 0; it is -0.1'],
  ])('is refused with its line and the nearest word: %s', (text, message) => {
    expect(refusal(text)).toContain(message)
  })

  it.each([
    'sex: female\nconditions: [{ name: pregnancy, after: 2w, lasts: 40w }]',
    'age: 11\nconditions: [{ name: hypertension, since: 11y }]',
    'traits: { resting_heart: 38 }',
    'traits: { resting_heart: 105 }',
    'age: 110\nconditions: [{ name: liver, degree: 1 }]',
    'age: 0\nconditions: [{ name: liver, degree: 0 }]',
    'episodes: [{ name: travel, lasts: 1w }]',
  ])('is fine: %s', (text) => {
    expect(refusal(text)).toBe('fine')
  })

  it("of the user's own folder is a persona like the bundled ones", async () => {
    const folder = makeFolder('petri-personas-')
    mkdirSync(join(folder, 'personas'))
    writeFileSync(join(folder, 'personas', 'mine.yaml'), file('traits: { resting_heart: 99 }'))
    const own = await startTestPetri({ scenarios: [folder] })
    const userId = await createUser(own)
    await own.put(`/_petri/users/${userId}/persona`, { persona: 'mine' })
    const { traits } = await own.read(`/_petri/users/${userId}/truth`)
    expect(traits.resting_heart).toBeGreaterThan(98)
    writeFileSync(join(folder, 'mine.yaml'), file(''))
    await expect(startTestPetri({ scenarios: [folder] })).rejects.toThrow(
      'a persona is looked for in the subfolder personas; move it there',
    )
    await own.close()
  })
})
