import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { isValidPhoneNumber } from 'libphonenumber-js/min'
import { describe, expect, it } from 'vitest'
import { email, personName, phone } from '../../src/api/fields.ts'
import { makeCity, makeIdentity, makePhone, makePhysician, makeStreet } from '../../src/kernel/people.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { makePerson } from '../../src/people/person.ts'
import { rounds } from '../support/rounds.ts'

const seeded = fc.record({ seed: fc.string({ maxLength: 12 }), key: fc.string({ maxLength: 24 }) })

function allOf(seed: string, key: string) {
  const random = createRandom(seed)
  return {
    person: makeIdentity(random, key, 'female', '713'),
    physician: makePhysician(random, key),
    street: makeStreet(random, key),
    city: makeCity(random, key),
    phone: makePhone(random, key, '800'),
  }
}

describe('generated people', () => {
  it('follow from the seed and the key alone, in any order', () => {
    fc.assert(
      fc.property(fc.array(seeded, { minLength: 2, maxLength: 4 }), (wishes) => {
        const forwards = wishes.map(({ seed, key }) => allOf(seed, key))
        const backwards = wishes.toReversed().map(({ seed, key }) => allOf(seed, key))
        expect(backwards.toReversed()).toEqual(forwards)
      }),
      { numRuns: rounds(15) },
    )
  })

  it('pass the checks of whoever is sent to the API, and cannot be reached', () => {
    const [name, mail, number] = [personName(), email(), phone()]
    for (let nth = 0; nth < 300; nth++) {
      const { person } = allOf('checks', String(nth))
      expect(name.parse(person.first_name)).toBe(person.first_name)
      expect(name.parse(person.last_name)).toBe(person.last_name)
      expect(mail.parse(person.email)).toBe(person.email)
      expect(person.email).toMatch(/@example\.(com|net|org)$/)
      expect(number.parse(person.phone_number)).toBe(person.phone_number)
      expect(person.phone_number).toMatch(/^\+171355501\d\d$/)
      expect(isValidPhoneNumber(person.phone_number)).toBe(true)
    }
  })

  it('are many', () => {
    const names = Array.from({ length: 200 }, (_, nth) =>
      makeIdentity(createRandom('1'), String(nth), nth % 2 === 0 ? 'female' : 'male', '713'),
    )
    expect(new Set(names.map((one) => `${one.first_name} ${one.last_name}`)).size).toBeGreaterThan(195)
  })

  it('have physicians whose numbers pass the check of US health identifiers', () => {
    for (let nth = 0; nth < 200; nth++) {
      const { npi } = makePhysician(createRandom('npi'), String(nth))
      expect(npi).toMatch(/^1\d{9}$/)
      const digits = [...`80840${npi}`].reverse().map(Number)
      const sum = digits.reduce(
        (total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2),
        0,
      )
      expect(sum % 10).toBe(0)
    }
  })
})

describe('race and ethnicity', () => {
  const random = createRandom('ancestry')

  it('are those of the population', () => {
    const people = Array.from({ length: 2000 }, (_, nth) => makePerson(random, `user-${nth}`, {}))
    const share = (is: (person: (typeof people)[number]) => boolean) =>
      people.filter(is).length / people.length
    expect(share(({ ethnicity }) => ethnicity === 'hispanic')).toBeCloseTo(0.187, 1)
    expect(share(({ race }) => race === 'african_american_or_black')).toBeCloseTo(0.124, 1)
    expect(share(({ race }) => race === 'white_caucasian')).toBeCloseTo(0.616, 1)
  })

  it('are those known, and change nothing else of the person', () => {
    const drawn = makePerson(random, 'someone', {})
    const told = makePerson(random, 'someone', { race: 'asian', ethnicity: 'other' })
    expect(told).toEqual({ ...drawn, race: 'asian', ethnicity: 'other' })
    expect(makePerson(random, 'someone', { race: 'pacific_islander_or_hawaiian' })).toEqual({
      ...drawn,
      race: 'pacific_islander_or_hawaiian',
      ethnicity: 'non_hispanic',
    })
  })
})

/** Uses the built package, so that what is bundled is what is seen. */
const program = `
  const { startPetri } = await import('./dist/index.js')
  const petri = await startPetri({ seed: 'two processes', frozen: true, now: '2026-01-05T09:00:00Z' })
  const order = await petri.orders.place({ scenario: 'happy-path' })
  await petri.clock.advance({ until: 'idle' })
  const { user_id } = await petri.users.create('wearer')
  await petri.call('POST', '/v2/link/connect/demo', { user_id, provider: 'fitbit' })
  await petri.clock.advance('1d')
  const seen = []
  for (const path of ['/v3/order/' + order.id, '/v3/order/' + order.id + '/result', '/v3/order/psc/info?zip_code=59718&lab_id=4',
    '/v2/summary/sleep/' + user_id + '?start_date=2025-12-20', '/v2/timeseries/' + user_id + '/heartrate/grouped?start_date=2026-01-05&end_date=2026-01-05'])
    seen.push(await petri.call('GET', path))
  await petri.close()
  console.log(JSON.stringify(seen))`

it('two processes with one seed make up the same people, physicians and sites, byte for byte, and the same results and nights', async () => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const run = async () =>
    (
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        cwd,
        maxBuffer: 2 ** 26,
      })
    ).stdout
  const [one, other] = await Promise.all([run(), run()])
  expect(other).toBe(one)
  const [order, results, sites, { sleep }, beats] = JSON.parse(one)
  expect(sleep.length).toBeGreaterThan(5)
  expect(Object.keys(beats.groups)).toEqual(['fitbit'])
  expect(order.physician.npi).toMatch(/^1\d{9}$/)
  expect(order.patient_details.email).toMatch(/@example\./)
  const [performing] = Object.values<{ performing_laboratories: unknown }>(results.sample_information)
  expect(JSON.stringify(performing?.performing_laboratories)).toMatch(/"medical_director":"[A-Z][^"]+, MD"/)
  expect(sites.patient_service_centers.length).toBeGreaterThan(0)
  expect(one).not.toMatch(/Sampleton|Sample Main|Robin|Specimen, MD/)
})
