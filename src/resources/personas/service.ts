import QuickLRU from 'quick-lru'
import { type Condition, type Known, makePerson, type Person } from '../../people/person.ts'
import type { AnyTable } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { demographics } from '../demographics/table.ts'
import { users } from '../users/table.ts'
import { type FindingRow, people } from './table.ts'

interface KeptPerson {
  readonly person: Person
  /** The stored rows that the person follows from, as JSON. */
  readonly source: string
}

/** The number of people kept in each world. */
const MAX_KEPT = 1000
const keptPeople = new WeakMap<World, QuickLRU<string, KeptPerson>>()

/** As whom a report knows a user. */
interface Reported {
  /** The patient of the order. */
  readonly patient: { readonly gender: string; readonly dob: string } | null
  /** How many findings there were before. */
  readonly findings: number
}

/**
 * The one person behind a user's data. The patient of a report wins over demographics, these over the user's fallback,
 * and all over what is drawn.
 */
export function personOf(world: World, userId: string, as?: Reported): Person {
  const kept = keptPeople.get(world) ?? new QuickLRU<string, KeptPerson>({ maxSize: MAX_KEPT })
  keptPeople.set(world, kept)
  const key = as ? `${userId}/${as.findings}/${as.patient?.gender}/${as.patient?.dob}` : userId
  const source = [demographics, users, people].map((table) => textOf(world, table, userId)).join()
  const before = kept.get(key)
  if (before?.source === source) return before.person
  const person = makePerson(world.random, userId, knownOf(world, userId, as))
  kept.set(key, { person, source })
  return person
}

const textOf = (world: World, table: AnyTable, id: string): string =>
  world.db.has(table, id) ? world.db.text(table, id).text : ''

function knownOf(world: World, userId: string, as: Reported | undefined): Known {
  const told = as?.patient ?? world.db.find(demographics, userId)
  const birthDate = told?.dob.slice(0, 10) ?? world.db.find(users, userId)?.fallback_birth_date?.value
  const gender = told?.gender.toLowerCase()
  const findings = findingsOf(world, userId).slice(0, as?.findings)
  return {
    ...(birthDate !== undefined && { birthDate }),
    ...((gender === 'male' || gender === 'female') && { sex: gender }),
    ...(findings.length > 0 && { findings: findings.map(diagnosed) }),
  }
}

const diagnosed = (finding: FindingRow): Condition => ({ ...finding, isDiagnosed: true })

/** What laboratory results have shown of a user, oldest first. */
export const findingsOf = (world: World, userId: string): readonly FindingRow[] =>
  world.db.find(people, userId)?.findings ?? []

/** Keeps what a laboratory result shows, unless the user has it already. */
export function addFinding(world: World, userId: string, finding: FindingRow): void {
  const findings = findingsOf(world, userId)
  const isKnown = findings.some(
    ({ name, sign }) => name === finding.name && sign?.slug === finding.sign?.slug,
  )
  if (!isKnown) world.db.put(people, { user_id: userId, findings: [...findings, finding] })
}
