import * as fc from 'fast-check'
import { isValidPhoneNumber } from 'libphonenumber-js/min'
import { describe, expect, it } from 'vitest'
import { email, personName, phone } from '../../src/api/fields.ts'
import { makeIdentity, makePhone, makePhysician, makeStreet } from '../../src/kernel/people.ts'
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
    const name = personName()
    const mail = email()
    const number = phone()
    expect(mail.parse(' Ada@Example.COM ')).toBe('Ada@example.com')
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
