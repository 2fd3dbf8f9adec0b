import type { Parsed } from '../../api/schema.ts'
import { toDate } from '../../kernel/instant.ts'
import { Latest, perOwner } from '../../kernel/kept.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { daysBetween, daysLater } from '../../people/dates.ts'
import {
  type Condition,
  type ConditionState,
  type Coordinates,
  type Course,
  type Known,
  makePerson,
  type Person,
} from '../../people/person.ts'
import { courseOf, type Persona, whyNotPersona } from '../../people/persona.ts'
import type { AnyTable } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { homeOf as drawnHome, pointOfZip } from '../catalogue/homes.ts'
import { demographics } from '../demographics/table.ts'
import type { NewUser } from '../users/schema.ts'
import { createUser } from '../users/service.ts'
import { type UserRow, users } from '../users/table.ts'
import { type FindingRow, type PersonRow, people } from './table.ts'

/** The personas that users can be, implemented in `scenarios/`. */
export interface Personas {
  /** Resolves once the files are read; undefined when they are. */
  ready(): Promise<void> | undefined
  names(): readonly string[]
  /** Throws an error that names the nearest. */
  get(world: World, name: string): Persona
}

declare module '../../world/services.ts' {
  interface Services {
    readonly personas: Personas
  }
}

interface KeptPerson {
  readonly person: Person
  /** The stored rows that the person follows from, as JSON. */
  readonly source: string
}

/** The number of people kept in each world. */
const MAX_KEPT = 1000
const keptPeople = perOwner((_: World) => new Latest<string, KeptPerson>(MAX_KEPT))

/** As whom a report knows a user. */
interface Reported {
  /** The patient of the order. */
  readonly patient: { readonly gender: string; readonly dob: string } | null
  /** How many findings there were before. */
  readonly findings: number
}

/**
 * The one person behind a user's data. The patient of a report wins over demographics, these over the user's fallback,
 * that over the persona, and all over what is drawn.
 */
export function personOf(world: World, userId: string, as?: Reported): Person {
  const kept = keptPeople(world)
  const key = as ? `${userId}/${as.findings}/${as.patient?.gender}/${as.patient?.dob}` : userId
  const source = [demographics, users, people].map((table) => textOf(world, table, userId)).join()
  const before = kept.get(key)
  if (before?.source === source) return before.person
  const person = makePerson(world.random, world.drawKey('user', userId), knownOf(world, userId, as))
  kept.set(key, { person, source })
  return person
}

const textOf = (world: World, table: AnyTable, id: string): string =>
  world.db.has(table, id) ? world.db.text(table, id).text : ''

function knownOf(world: World, userId: string, as: Reported | undefined): Known {
  const { persona, findings } = rowOf(world, userId)
  const reported = findings.slice(0, as?.findings)
  const told = toldOf(world, userId, as?.patient)
  return {
    course: persona?.course as Course | undefined,
    begins: persona?.begins,
    sex: told.sex ?? persona?.sex ?? undefined,
    birthDate: told.birthDate ?? persona?.birth_date ?? undefined,
    race: told.race,
    ethnicity: told.ethnicity,
    findings: reported.map(diagnosed),
    home: homeOf(world, userId),
  }
}

/** Degrees that a home is from the middle of its ZIP code at most: about half a mile. */
const FROM_MIDDLE = 0.008

/** Where the user lives: at the ZIP code of the demographics, or else at a drawn one. */
function homeOf(world: World, userId: string): Coordinates | undefined {
  const { zip } = world.db.find(demographics, userId)?.address ?? drawnHome(world, userId, () => true)
  const point = pointOfZip(world, zip.slice(0, 5))
  const key = world.drawKey('user', userId)
  const off = (what: string) => (2 * world.random.noise(`home/${what}/${key}`) - 1) * FROM_MIDDLE
  return point && [point.lat + off('latitude'), point.lng + off('longitude')]
}

/** What the patient of a report, or else the user's data, say. */
function toldOf(
  world: World,
  userId: string,
  patient?: Reported['patient'],
): Pick<Known, 'sex' | 'birthDate' | 'race' | 'ethnicity'> {
  const known = world.db.find(demographics, userId)
  const told = patient ?? known
  const birthDate = told?.dob.slice(0, 10) ?? world.db.find(users, userId)?.fallback_birth_date?.value
  const gender = told?.gender.toLowerCase()
  return {
    birthDate,
    sex: gender === 'male' || gender === 'female' ? gender : undefined,
    race: known?.race ?? undefined,
    ethnicity: known?.ethnicity ?? undefined,
  }
}

const rowOf = (world: World, userId: string): PersonRow =>
  world.db.find(people, userId) ?? { user_id: userId, findings: [], persona: null }

const diagnosed = (finding: FindingRow): Condition => ({ ...finding, isDiagnosed: true })

/** What laboratory results have shown of a user, oldest first. */
export const findingsOf = (world: World, userId: string): readonly FindingRow[] =>
  rowOf(world, userId).findings

type Named = Pick<ConditionState, 'name' | 'sign'>

/** Whether two states are of one condition; those that no condition explains are told apart by what they show in. */
export const isSameCondition = (one: Named, other: Named): boolean =>
  one.name === other.name && one.sign?.slug === other.sign?.slug

/** Keeps what a laboratory result shows, unless the user has it already. */
export function addFinding(world: World, userId: string, finding: FindingRow): void {
  const row = rowOf(world, userId)
  if (!row.findings.some((each) => isSameCondition(each, finding)))
    world.db.put(people, { ...row, findings: [...row.findings, finding] })
}

export const findPersona = (world: World, userId: string): PersonRow['persona'] =>
  rowOf(world, userId).persona

/** Creates a user who is a persona. Creates nobody if there is none of this name, or if the user cannot be it. */
export async function createUserAs(
  world: World,
  name: string,
  body: Parsed<typeof NewUser>,
  id?: string,
): Promise<UserRow> {
  await world.services.personas.ready()
  const persona = choosePersona(world, name, body.fallback_birth_date)
  const user = createUser(world, body, id)
  assignPersona(world, user.user_id, persona)
  return user
}

/** Throws in the form of the other reasons why a user is not created. */
function choosePersona(world: World, name: string, birthDate: string | null): Persona {
  try {
    const persona = world.services.personas.get(world, name)
    assertCanBe(world, persona, birthDate ? { birthDate } : {})
    return persona
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw badRequest({ error_type: 'INVALID_REQUEST', error_message: error.message })
  }
}

function assertCanBe(world: World, persona: Persona, told: Pick<Known, 'sex' | 'birthDate'>): void {
  const why = whyNotPersona(persona, told, toDate(world.clock.now()))
  if (why !== undefined) throw badRequest(why)
}

/** Makes a user a persona from today on; it replaces an earlier one. Throws if the user cannot be it. */
export function assignPersona(world: World, userId: string, persona: Persona): void {
  assertCanBe(world, persona, toldOf(world, userId))
  const begins = toDate(world.clock.now())
  const key = `persona/${persona.name}/${world.drawKey('user', userId)}`
  const chance = (what: string) => world.random.noise(`${key}/${what}`)
  world.db.put(people, {
    ...rowOf(world, userId),
    persona: {
      name: persona.name,
      begins,
      sex: persona.sex ?? null,
      birth_date: persona.born ?? bornAt(persona.age, chance('birthday'), begins),
      course: ownCourse(courseOf(persona, begins), begins, chance),
    },
  })
}

/** By which share an onset of the past can be nearer to today. */
const NEARER = 0.2

/** A course whose onsets of the past differ between people who are the same persona; each event belongs to its day. */
function ownCourse(course: Course, begins: string, chance: (what: string) => number): Course {
  const moved = <Part extends { readonly name: string; readonly since: string }>(part: Part): Part => {
    const days = daysBetween(part.since, begins)
    return days <= 0
      ? part
      : { ...part, since: daysLater(part.since, Math.floor(days * NEARER * chance(part.name))) }
  }
  return {
    ...course,
    conditions: course.conditions.map(moved),
    treatments: course.treatments.map(moved),
  }
}

/** The birth date of somebody who is a number of years old, and a share of the next; null if no age is known. */
function bornAt(years: number | undefined, share: number, date: string): string | null {
  if (years === undefined) return null
  const day = new Date(date)
  day.setUTCMonth(day.getUTCMonth() - Math.round((years + share) * 12))
  return toDate(day.getTime())
}

/** Lets a user be the person that is drawn for it. */
export function removePersona(world: World, userId: string): void {
  const row = world.db.find(people, userId)
  if (!row) return
  if (row.findings.length > 0) world.db.put(people, { ...row, persona: null })
  else world.db.delete(people, userId)
}
