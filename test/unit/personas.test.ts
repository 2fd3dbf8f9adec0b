import { beforeEach, describe, expect, it } from 'vitest'
import type { Course } from '../../src/people/person.ts'
import type { Persona } from '../../src/people/persona.ts'
import {
  addFinding,
  assignPersona,
  createUserAs,
  findingsOf,
  findPersona,
  personOf,
  removePersona,
} from '../../src/resources/personas/service.ts'
import { people } from '../../src/resources/personas/table.ts'
import type { World } from '../../src/world/world.ts'
import { address, advance, changeInfo, changeUser, patient } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()
let world: World
beforeEach(() => {
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
  expect(await changeInfo(petri, userId, { ...patient, address, ...more })).toAnswer(200)
}

describe('an assigned persona', () => {
  const timing = { fromDay: -1000, untilDay: null }
  const course = (userId: string) => findPersona(world, userId)?.course as Course

  it('begins today, with what it says', async () => {
    const userId = await createUser()
    await advance(petri, '3d')
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
  const noUser = async () => expect(await petri.get('/v2/user/resolve/ada')).toAnswer(404)

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

describe('the person behind a user', () => {
  it('is the one of a report, else of the demographics, else of the user, else of the persona, else drawn', async () => {
    const userId = await createUser()
    const drawn = personOf(world, userId)
    expect(personOf(world, await createUser('grace')).birthDate).not.toBe(drawn.birthDate)
    const sex = drawn.sex === 'female' ? 'male' : 'female'
    assignPersona(world, userId, persona({ sex, age: 50 }))
    const { birth_date } = findPersona(world, userId) ?? {}
    expect(personOf(world, userId)).toMatchObject({ sex, birthDate: birth_date })
    await changeUser(petri, userId, { fallback_birth_date: '1971-02-03' })
    expect(personOf(world, userId)).toMatchObject({ sex, birthDate: '1971-02-03' })
    await describeUser(userId, { gender: drawn.sex, dob: '1972-03-04' })
    expect(personOf(world, userId)).toMatchObject({ sex: drawn.sex, birthDate: '1972-03-04' })
    const reported = { patient: { gender: sex, dob: '1973-04-05T00:00:00+00:00' }, findings: 0 }
    expect(personOf(world, userId, reported)).toMatchObject({ sex, birthDate: '1973-04-05' })
    expect(personOf(world, userId)).toMatchObject({ sex: drawn.sex, birthDate: '1972-03-04' })
    expect(personOf(world, userId, { patient: null, findings: 0 })).toMatchObject({ sex: drawn.sex })
  })

  it.each([
    ['Female', 'female'],
    ['MALE', 'male'],
    ['female', 'female'],
    ['male', 'male'],
  ])('has the sex of a report that says %s', async (gender, sex) => {
    const userId = await createUser()
    assignPersona(world, userId, persona({ sex: sex === 'male' ? 'female' : 'male' }))
    expect(personOf(world, userId, { patient: { gender, dob: '1990-01-01' }, findings: 0 }).sex).toBe(sex)
  })

  it.each(['other', 'unknown', ''])('has its own sex where a report says %j', async (gender) => {
    for (const sex of ['female', 'male'] as const) {
      const userId = await createUser(sex)
      assignPersona(world, userId, persona({ sex }))
      expect(personOf(world, userId, { patient: { gender, dob: '1990-01-01' }, findings: 0 }).sex).toBe(sex)
    }
  })

  it('has race and ethnicity of the demographics, also in a report', async () => {
    const told = { race: 'asian', ethnicity: 'hispanic' }
    const names = Array.from({ length: 12 }, (_, at) => `user-${at}`)
    const as = { patient: { gender: 'female', dob: '1990-01-01' }, findings: 0 }
    for (const name of names) {
      const userId = await createUser(name)
      await describeUser(userId, told)
      expect([personOf(world, userId), personOf(world, userId, as)]).toMatchObject([told, told])
    }
  })

  it('is made once until something about it changes', async () => {
    const userId = await createUser()
    const first = personOf(world, userId)
    expect(personOf(world, userId)).toBe(first)
    const report = { patient: { gender: first.sex, dob: '1990-01-01' }, findings: 0 }
    const asReported = personOf(world, userId, report)
    expect(asReported).not.toBe(first)
    expect(personOf(world, userId, { ...report })).toBe(asReported)
    for (const other of [
      { ...report, findings: 1 },
      { ...report, patient: { ...report.patient, dob: '1991-01-01' } },
      { ...report, patient: { ...report.patient, gender: 'other' } },
    ])
      expect(personOf(world, userId, other)).not.toBe(asReported)
    expect(personOf(world, userId)).toBe(first)
    addFinding(world, userId, { name: 'hypertension', since: BEGINS, until: null, degree: 0.5 })
    expect(personOf(world, userId)).not.toBe(first)
  })
})

describe('what laboratory results have shown', () => {
  const finding = { name: 'hypertension', since: BEGINS, until: null, degree: 0.5 } as const
  const sign = (slug: string) => ({ slug, side: 'above', mild: 1.1, severe: 2 }) as const

  it('is kept once, oldest first', async () => {
    const userId = await createUser()
    const other = { ...finding, name: 'dyslipidemia' } as const
    const [sodium, iron] = [sign('sodium'), sign('iron')].map((one) => ({ ...finding, sign: one }))
    expect(findingsOf(world, userId)).toEqual([])
    for (const one of [finding, other, { ...finding, degree: 0.9 }, sodium, iron, sodium, other])
      if (one) addFinding(world, userId, one)
    expect(findingsOf(world, userId)).toEqual([finding, other, sodium, iron])
    expect(findingsOf(world, await createUser('grace'))).toEqual([])
  })

  it('is a diagnosed condition of the person, in a report only what was known then', async () => {
    const userId = await createUser()
    assignPersona(world, userId, persona())
    addFinding(world, userId, finding)
    addFinding(world, userId, { ...finding, name: 'dyslipidemia', sign: sign('ldl-cholesterol-calc') })
    expect(personOf(world, userId).conditions).toEqual([
      { ...finding, isDiagnosed: true },
      { ...finding, name: 'dyslipidemia', sign: sign('ldl-cholesterol-calc'), isDiagnosed: true },
    ])
    const inReport = (findings: number) => personOf(world, userId, { patient: null, findings }).conditions
    expect([inReport(0), inReport(1), inReport(2)].map(({ length }) => length)).toEqual([0, 1, 2])
    expect(inReport(1)[0]?.name).toBe('hypertension')
  })

  it('stays with a persona, and without it', async () => {
    const userId = await createUser()
    addFinding(world, userId, finding)
    assignPersona(world, userId, persona())
    addFinding(world, userId, { ...finding, name: 'dyslipidemia' })
    expect([findingsOf(world, userId).length, findPersona(world, userId)?.name]).toEqual([2, 'mine'])
    removePersona(world, userId)
    expect([findingsOf(world, userId).length, findPersona(world, userId)]).toEqual([2, null])
  })

  it('is all there is to keep of a user without a persona', async () => {
    const userId = await createUser()
    removePersona(world, userId)
    expect([findPersona(world, userId), world.db.count(people)]).toEqual([null, 0])
    assignPersona(world, userId, persona())
    expect(world.db.count(people)).toBe(1)
    removePersona(world, userId)
    expect([findPersona(world, userId), world.db.count(people)]).toEqual([null, 0])
  })
})
