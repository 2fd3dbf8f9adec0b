import QuickLRU from 'quick-lru'
import { type Known, makePerson, type Person } from '../../people/person.ts'
import type { AnyTable } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { demographics } from '../demographics/table.ts'
import { users } from '../users/table.ts'

interface KeptPerson {
  readonly person: Person
  /** The stored rows that the person follows from, as JSON. */
  readonly source: string
}

/** The number of people kept in each world. */
const MAX_KEPT = 1000
const keptPeople = new WeakMap<World, QuickLRU<string, KeptPerson>>()

/** The one person behind a user's data. Demographics win over the user's fallback, and both over what is drawn. */
export function personOf(world: World, userId: string): Person {
  const people = keptPeople.get(world) ?? new QuickLRU<string, KeptPerson>({ maxSize: MAX_KEPT })
  keptPeople.set(world, people)
  const source = [demographics, users].map((table) => textOf(world, table, userId)).join()
  const kept = people.get(userId)
  if (kept?.source === source) return kept.person
  const person = makePerson(world.random, userId, knownOf(world, userId))
  people.set(userId, { person, source })
  return person
}

const textOf = (world: World, table: AnyTable, id: string): string =>
  world.db.has(table, id) ? world.db.text(table, id).text : ''

function knownOf(world: World, userId: string): Known {
  const told = world.db.find(demographics, userId)
  const birthDate = told?.dob ?? world.db.find(users, userId)?.fallback_birth_date?.value
  const gender = told?.gender.toLowerCase()
  return {
    ...(birthDate !== undefined && { birthDate }),
    ...((gender === 'male' || gender === 'female') && { sex: gender }),
  }
}
