import { beforeEach, describe, expect, it } from 'vitest'
import type { Course } from '../../src/people/person.ts'
import type { Persona } from '../../src/people/persona.ts'
import { assignPersona, createUserAs, findPersona } from '../../src/resources/personas/service.ts'
import { people } from '../../src/resources/personas/table.ts'
import type { World } from '../../src/world/world.ts'
import { address, patient } from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
let world: World
beforeEach(async () => {
  petri = await startTestWorld()
  world = petri.world()
})

const BEGINS = '2026-01-05'
const persona = (more: Partial<Persona> = {}): Persona => ({
  name: 'mine',
  summary: 'Someone.',
  sex: undefined,
  age: undefined,
  traits: {},
  conditions: [],
  treatments: [],
  episodes: [],
  source: '',
  ...more,
})

async function createUser(name = 'ada', more: object = {}): Promise<string> {
  return (await petri.post('/v2/user', { client_user_id: name, ...more })).body.user_id
}

async function describeUser(userId: string, more: object): Promise<void> {
  const info = {
    ...patient,
    address,
    medical_proxy: null,
    ...{ race: null, ethnicity: null, sexual_orientation: null, gender_identity: null },
    ...more,
  }
  expect((await petri.call('PATCH', `/v2/user/${userId}/info`, info)).status).toBe(200)
}

describe('an assigned persona', () => {
  const timing = { fromDay: -1000, untilDay: null }
  const course = (userId: string) => findPersona(world, userId)?.course as Course

  it('begins today, with what it says', async () => {
    const userId = await createUser()
    await petri.post('/_petri/clock/advance', { by: '3d' })
    assignPersona(world, userId, persona({ name: 'first', sex: 'male' }))
    const traits = { restingHeart: 50 }
    const episode = { name: 'illness', degree: 0.5, fromDay: 2, untilDay: 9 } as const
    assignPersona(world, userId, persona({ traits, episodes: [episode] }))
    expect(findPersona(world, userId)).toEqual({
      name: 'mine',
      begins: '2026-01-08',
      sex: null,
      birth_date: null,
      course: {
        traits,
        conditions: [],
        treatments: [],
        episodes: [{ name: 'illness', degree: 0.5, since: '2026-01-10', until: '2026-01-17' }],
      },
    })
  })

  it('has its age on that day, with a birthday in the year before', async () => {
    const dates = new Set<string>()
    for (let at = 0; at < 40; at++) {
      const userId = await createUser(`user-${at}`)
      assignPersona(world, userId, persona({ age: 58 }))
      const { birth_date } = findPersona(world, userId) ?? {}
      expect(birth_date).toMatch(/-05$/)
      dates.add(birth_date ?? '')
    }
    for (const date of dates) expect(date >= '1967-01-05' && date <= '1968-01-05', date).toBe(true)
    expect(dates.size).toBeGreaterThan(6)
  })

  it('has onsets of the past up to a fifth nearer, each user its own, and what comes on its day', async () => {
    const conditions = [
      { ...timing, name: 'hypertension', degree: 0.5, isDiagnosed: true },
      { ...timing, name: 'liver', degree: 0.5, isDiagnosed: true },
      { name: 'migraine', degree: 0.5, isDiagnosed: false, fromDay: 0, untilDay: null },
      { name: 'pregnancy', degree: 1, isDiagnosed: true, fromDay: 28, untilDay: 308 },
    ] as Persona['conditions']
    const treatments = [
      { ...timing, name: 'antihypertensive' },
      { name: 'metformin', fromDay: 30, untilDay: null },
    ] as Persona['treatments']
    const onsets = new Set<string>()
    let apart = 0
    for (let at = 0; at < 30; at++) {
      const userId = await createUser(`user-${at}`)
      assignPersona(world, userId, persona({ sex: 'female', conditions, treatments }))
      const [hypertension, liver, migraine, pregnancy] = course(userId).conditions
      const [antihypertensive, metformin] = course(userId).treatments
      for (const part of [hypertension, liver, antihypertensive]) {
        expect([part?.since, part?.until]).toEqual([expect.stringMatching(/^2023-/), null])
        expect((part?.since ?? '') >= '2023-04-11' && (part?.since ?? '') < '2023-10-28').toBe(true)
        onsets.add(part?.since ?? '')
      }
      if (hypertension?.since !== liver?.since) apart++
      expect(migraine?.since).toBe(BEGINS)
      expect([pregnancy?.since, pregnancy?.until]).toEqual(['2026-02-02', '2026-11-09'])
      expect(metformin?.since).toBe('2026-02-04')
    }
    expect(onsets.size).toBeGreaterThan(50)
    expect(apart).toBeGreaterThan(25)
    const sorted = [...onsets].sort()
    expect([sorted[0] ?? '', sorted.at(-1) ?? '']).toEqual([
      expect.stringMatching(/^2023-04/),
      expect.stringMatching(/^2023-10/),
    ])
  })

  it('is refused where demographics or the fallback say another sex, or a birth after its onset', async () => {
    const userId = await createUser('ada', { fallback_birth_date: '2025-01-01' })
    const ill = persona({ conditions: [{ ...timing, name: 'hypertension', degree: 1, isDiagnosed: true }] })
    expect(() => assignPersona(world, userId, ill)).toThrow(
      "The persona mine has hypertension since before the user's birth on 2025-01-01.",
    )
    await describeUser(userId, { gender: 'male' })
    expect(() => assignPersona(world, userId, persona({ sex: 'female' }))).toThrow(
      "The persona mine is female, and the user's demographics say male.",
    )
    expect(world.db.count(people)).toBe(0)
    assignPersona(world, userId, ill)
    expect(findPersona(world, userId)?.name).toBe('mine')
  })
})

describe('a user who is created as a persona', () => {
  const born = (fallback_birth_date: string | null) => ({
    client_user_id: 'ada',
    fallback_time_zone: null,
    fallback_birth_date,
    ingestion_start: null,
    ingestion_end: null,
  })
  const noUser = async () => expect((await petri.get('/v2/user/resolve/ada')).status).toBe(404)

  it('is that persona, with the given id', async () => {
    const id = '7e57c0de-0000-4000-8000-000000000000'
    const user = await createUserAs(world, 'athlete', born(null), id)
    expect([user.user_id, findPersona(world, id)?.name]).toEqual([id, 'athlete'])
  })

  it.each([
    ['athlet', null, 'There is no persona "athlet". Did you mean "athlete"?'],
    [
      'type-1-diabetes',
      '2025-01-01',
      "The persona type-1-diabetes has type_1_diabetes since before the user's birth on 2025-01-01.",
    ],
  ])('is not created as %s who was born on %s', async (name, birthDate, error_message) => {
    await expect(createUserAs(world, name, born(birthDate))).rejects.toMatchObject({
      kind: 'bad_request',
      detail: { error_type: 'INVALID_REQUEST', error_message },
    })
    await noUser()
  })

  it('waits for the files of personas, and passes on what goes wrong with them', async () => {
    const error = new TypeError('a file cannot be read')
    const before = world.services.personas
    let isRead = false
    Object.assign(world.services, {
      personas: {
        ...before,
        ready: async () => {
          isRead = true
        },
        get() {
          throw error
        },
      },
    })
    await expect(createUserAs(world, 'athlete', born(null))).rejects.toBe(error)
    expect(isRead).toBe(true)
    await noUser()
  })
})
