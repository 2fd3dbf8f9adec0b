import { beforeAll, expect, it } from 'vitest'
import { personOf } from '../../src/resources/personas/service.ts'
import { address, changeInfo, connectDemo } from '../support/orders.ts'
import { forAllTests, startTestPetri } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'
import { openData } from '../support/wearables.ts'

// Whoever a user is, everything about them is about one person. CI tries 200 people, and so does `npm run realism`.

const PEOPLE = rounds(40)
const PROVIDERS = ['fitbit', 'oura', 'apple_health_kit']

interface Someone {
  readonly userId: string
  /** What the customer has told of them. */
  readonly told: { readonly gender?: string; readonly dob?: string }
}

/** Of each four users, two have demographics, one a birth date alone, and of one nothing is known. */
function toldOf(nth: number): Someone['told'] {
  const dob = `${1940 + ((nth * 4) % 64)}-0${1 + (nth % 9)}-1${nth % 10}`
  if (nth % 4 < 2) return { gender: nth % 4 === 0 ? 'female' : 'male', dob }
  return nth % 4 === 2 ? { dob } : {}
}

const petri = forAllTests(() => startTestPetri({ world: { seed: 'coherence' } }))
let people: readonly Someone[]
beforeAll(async () => {
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => arrive(nth)))
})

async function arrive(nth: number): Promise<Someone> {
  const told = toldOf(nth)
  const { gender, dob } = told
  const user = {
    client_user_id: `user-${nth}`,
    // A day is the same for summaries and series.
    fallback_time_zone: 'UTC',
    ...(!gender && dob && { fallback_birth_date: dob }),
  }
  const userId: string = (await petri.post('/v2/user', user)).body.user_id
  const name = {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.com',
    phone_number: '+16025550123',
  }
  const { receiver_name: _, ...home } = address
  const info = { ...name, gender, dob, address: home }
  if (gender) expect(await changeInfo(petri, userId, info)).toAnswer(200)
  for (const provider of PROVIDERS) await connectDemo(petri, userId, provider)
  openData(petri, userId)
  return { userId, told }
}

it('has one sex and one birth date: those that are known, at every provider, and for an order', {
  tags: 'slow',
}, async () => {
  for (const { userId, told } of people) {
    const { sex, birthDate, race, ethnicity } = personOf(petri.world(), userId)
    expect({ sex, birthDate }).toMatchObject({
      ...(told.gender && { sex: told.gender }),
      ...(told.dob && { birthDate: told.dob }),
    })
    for (const provider of PROVIDERS) {
      const body = await petri.read(`/v2/summary/profile/${userId}?provider=${provider}`)
      expect(body).toMatchObject({ sex, gender: sex, birth_date: birthDate })
    }
    const { status, body } = await petri.post('/_petri/orders', {
      user_id: userId,
      scenario: 'on-site-happy-path',
    })
    expect({ status, patient: body.patient_details }).toMatchObject({
      status: 201,
      patient: { gender: sex, dob: `${birthDate}T00:00:00+00:00`, race, ethnicity },
    })
  }
})
