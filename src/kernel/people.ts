import type * as FakerPackage from '@faker-js/faker'
import { loadPackage } from './built.ts'
import { perOwner } from './kept.ts'
import { once } from './once.ts'
import type { Random } from './random.ts'

/** Loaded on first use, which takes some 20 ms. One for all keys: it takes longer to make than to draw what is needed of it. */
const loadFaker = once(() => {
  const faker = loadPackage<typeof FakerPackage>('@faker-js/faker', 'faker.cjs')
  const { base, en, en_US, Faker, mergeLocales } = faker
  const source = { next: () => 0 }
  const randomizer = { next: () => source.next(), seed: () => {} }
  return { source, faker: new Faker({ locale: mergeLocales([en_US, en, base]), randomizer }) }
})

/** A faker whose data depend only on the seed and the key, until it is asked for with another. */
function fakerOf(random: Random, key: string): FakerPackage.Faker {
  const { faker, source } = loadFaker()
  let draws = 0
  source.next = () => random.noise(`faker/${key}/${draws++}`)
  return faker
}

/** The maximum number of cached values of a world; beyond it, the cache is emptied. */
const MAX_KEPT = 500
const keptBy = perOwner<Random, Map<string, unknown>>(() => new Map())

/** Cached, because generating one takes some 0.1 ms and the same few are often needed. */
function remembered<Made>(random: Random, key: string, make: (faker: FakerPackage.Faker) => Made): Made {
  const things = keptBy(random)
  const known = things.get(key)
  if (known !== undefined) return known as Made
  if (things.size >= MAX_KEPT) things.clear()
  const made = make(fakerOf(random, key))
  things.set(key, made)
  return made
}

/** How a person is named and reached. */
export interface Identity {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone_number: string
}

/** An identity whose e-mail domain and phone number are reserved for fiction. */
export const makeIdentity = (
  random: Random,
  key: string,
  sex: 'female' | 'male',
  areaCode: string,
): Identity =>
  remembered(random, `identity/${areaCode}/${key}/${sex}`, (faker) => {
    const firstName = faker.person.firstName(sex)
    const lastName = faker.person.lastName()
    return {
      first_name: firstName,
      last_name: lastName,
      email: faker.internet.exampleEmail({ firstName, lastName }).toLowerCase(),
      phone_number: `+1${areaCode}${faker.helpers.fromRegExp('55501[0-9]{2}')}`,
    }
  })

export interface Physician {
  readonly first_name: string
  readonly last_name: string
  readonly npi: string
}

export const makePhysician = (random: Random, key: string): Physician =>
  remembered(random, `physician/${key}`, (faker) => {
    const digits = faker.helpers.fromRegExp('1[0-9]{8}')
    return {
      first_name: faker.person.firstName(),
      last_name: faker.person.lastName(),
      npi: `${digits}${npiCheckDigit(digits)}`,
    }
  })

/** The Luhn check digit of a number with the prefix of US health identifiers, 80840. */
function npiCheckDigit(digits: string): number {
  let sum = 0
  for (const [at, digit] of [...`80840${digits}`].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return (10 - (sum % 10)) % 10
}

/** A house number and a street. */
export const makeStreet = (random: Random, key: string): string =>
  remembered(random, `street/${key}`, (faker) => faker.location.streetAddress())

/** A number reserved for fiction: `800-555-0123`. */
export const makePhone = (random: Random, key: string, areaCode: string): string =>
  remembered(random, `phone/${areaCode}/${key}`, (faker) =>
    faker.helpers.fromRegExp(`${areaCode}-555-01[0-9]{2}`),
  )
