import { afterAll, beforeAll, expect, it } from 'vitest'
import { personOf } from '../../src/resources/personas/service.ts'
import { address } from '../support/orders.ts'
import { pagesOf } from '../support/pdf-text.ts'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'
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

let petri: TestPetri
let people: readonly Someone[]
beforeAll(async () => {
  petri = await startTestPetri({ world: { seed: 'coherence' } })
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => arrive(nth)))
})
afterAll(() => petri.close())

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
  if (gender) expect((await petri.call('PATCH', `/v2/user/${userId}/info`, info)).status).toBe(200)
  for (const provider of PROVIDERS) await petri.post('/v2/link/connect/demo', { user_id: userId, provider })
  openData(petri, userId)
  return { userId, told }
}

const ageOf = (birthDate: string) => 2026 - Number(birthDate.slice(0, 4))

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
      const { body } = await petri.get(`/v2/summary/profile/${userId}?provider=${provider}`)
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

it('has cycles only where they can be', { tags: 'slow' }, async () => {
  const found = new Set<string>()
  for (const { userId } of people) {
    const { sex, birthDate } = personOf(petri.world(), userId)
    const path = `/v2/summary/menstrual_cycle/${userId}?start_date=2025-12-01&end_date=2026-01-05`
    const { menstrual_cycle: cycles } = (await petri.get(path)).body
    const age = ageOf(birthDate)
    const about = `${sex} of ${age}`
    if (sex === 'male' || age > 60) expect(cycles, about).toEqual([])
    if (sex === 'female' && age >= 18 && age < 40) found.add(cycles.length > 0 ? 'some' : 'none')
  }
  expect(found).toContain('some')
})

/** Reference ranges of hemoglobin by sex. */
const hemoglobin: Record<string, string> = { female: '11.1-15.9', male: '13.0-17.7' }

it('has a report with the ranges of its sex, and a PDF that says the same', { tags: 'slow' }, async () => {
  const markers = (await petri.get('/v3/lab_tests/markers?lab_slug=labcorp&name=CBC')).body.markers
  const cbc = markers.find(({ slug }: { slug: string }) => slug === 'cbc-with-differential-platelet')
  const made = { name: 'Blood', description: 'Blood', method: 'on_site_collection', marker_ids: [cbc.id] }
  const { id: lab_test_id } = (await petri.post('/v3/lab_tests', made)).body
  for (const { userId } of people) {
    const { sex, birthDate } = personOf(petri.world(), userId)
    const { id } = (await petri.post('/_petri/orders', { user_id: userId, lab_test_id, scenario: 'manual' }))
      .body
    await petri.post(`/_petri/orders/${id}/move`, { status: 'completed', force: true })
    const { metadata, results } = (await petri.get(`/v3/order/${id}/result`)).body
    expect(metadata.dob).toBe(birthDate.split('-').reverse().join('/'))
    const line = results.find(({ slug }: { slug: string }) => slug === 'hemoglobin')
    expect(line.reference_range).toBe(hemoglobin[sex])
    const path = `/v3/order/${id}/result/pdf`
    const pdf = await petri.petri.app.request(path, { headers: { 'x-service-api-key': KEY } })
    const text = pagesOf(Buffer.from(await pdf.arrayBuffer()))
      .flat()
      .join('\n')
    for (const { name, result } of results) {
      expect(text, name).toContain(name)
      expect(text, name).toContain(result)
    }
  }
})

it('moves and sleeps as its series say', { tags: 'slow' }, async () => {
  const days = 'start_date=2025-12-20&end_date=2026-01-03'
  const seriesOf = async (userId: string, slug: string, provider: string) => {
    const path = `/v2/timeseries/${userId}/${slug}/grouped?${days}&provider=${provider}`
    const { groups } = (await petri.get(path)).body
    return (groups[provider] ?? []).flatMap(({ data }: { data: { value: number }[] }) => data)
  }
  for (const { userId } of people.slice(0, 4)) {
    const { activity } = (await petri.get(`/v2/summary/activity/${userId}?${days}&provider=fitbit`)).body
    const steps = await seriesOf(userId, 'steps', 'fitbit')
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
    expect(activity.length).toBeGreaterThan(5)
    expect(sum(steps.map(({ value }: { value: number }) => value))).toBe(
      sum(activity.map((day: { steps: number | null }) => day.steps ?? 0)),
    )
    const { sleep } = (await petri.get(`/v2/summary/sleep/${userId}?${days}&provider=oura`)).body
    const { sleep_cycle } = (await petri.get(`/v2/summary/sleep_cycle/${userId}?${days}&provider=oura`)).body
    const cycles = new Map(sleep_cycle.map((cycle: { sleep_id: string }) => [cycle.sleep_id, cycle]))
    expect(sleep.length).toBeGreaterThan(5)
    for (const night of sleep) {
      expect(night.light + night.rem + night.deep).toBe(night.total)
      expect(night.total + night.awake).toBe(night.duration)
      // biome-ignore lint/suspicious/noExplicitAny: a cycle as it was answered.
      const cycle = cycles.get(night.id) as any
      const inStage = (stage: number) =>
        sum(
          cycle.stage_type.map((type: number, at: number) =>
            type === stage ? cycle.stage_end_offset_second[at] - cycle.stage_start_offset_second[at] : 0,
          ),
        )
      expect([inStage(1), inStage(2), inStage(3)]).toEqual([night.deep, night.light, night.rem])
    }
  }
})
