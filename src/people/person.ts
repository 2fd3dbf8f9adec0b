import { clamp } from '../kernel/compare.ts'
import { entriesOf } from '../kernel/fields.ts'
import { toDate } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { append, largest } from '../kernel/list.ts'
import { normalShare } from '../kernel/normal.ts'
import type { Random } from '../kernel/random.ts'
import {
  birthsAYear,
  type ConditionName,
  type ConditionRow,
  conditionNames,
  conditionTable,
  type EpisodeName,
  episodeNames,
  episodeTable,
  femaleConditions,
  pillUse,
  type Sign,
  statinUse,
  type TraitEffect,
  type TraitEffects,
  type TreatmentName,
  treatmentNames,
  treatmentTable,
} from './conditions.ts'
import {
  dateOfDay,
  dayNumber,
  daysBetween,
  daysLater,
  MAX_KEPT,
  seasonOf,
  YEAR_DAYS,
  yearsBetween,
  yearsBetweenDates,
} from './dates.ts'
import { effectsOfLife, lifeOn } from './life.ts'
import { type Points, valueAt } from './points.ts'
import { type Ancestry, ancestryOf, type KnownAncestry } from './race.ts'
import {
  type Factors,
  factorsGiven,
  factorsOf,
  loaded,
  loadsOf,
  type Sex,
  standardNormal,
  type Trait,
  traitDeviation,
  traitNames,
  traitValue,
} from './traits.ts'

/** A condition of a person; dates are `YYYY-MM-DD`, `until` is the first day without it. */
export interface Condition {
  readonly name: ConditionName
  readonly since: string
  readonly until: string | null
  /** From 0, mild, to 1, severe. */
  readonly degree: number
  readonly isDiagnosed: boolean
  /** The result that shows a finding without a condition of its own. */
  readonly sign?: Sign | undefined
}

export interface Treatment {
  readonly name: TreatmentName
  readonly since: string
  readonly until: string | null
}

export interface Episode {
  readonly name: EpisodeName
  readonly since: string
  readonly until: string
  readonly degree: number
}

/** What a persona sets: it replaces conditions and treatments, and adds episodes. */
export interface Course {
  readonly traits: Partial<Readonly<Record<Trait, number>>>
  readonly conditions: readonly Condition[]
  readonly treatments: readonly Treatment[]
  readonly episodes: readonly Episode[]
}

/** Degrees. */
export type Coordinates = readonly [latitude: number, longitude: number]

/** What is known of a user; it wins over what is drawn. */
export interface Known extends KnownAncestry {
  readonly sex?: Sex | undefined
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | undefined
  readonly course?: Course | undefined
  /** The day from which a persona's course is told. */
  readonly begins?: string | undefined
  /** Conditions that laboratory results have shown, in addition to those of the person. */
  readonly findings?: readonly Condition[] | undefined
  readonly home?: Coordinates | undefined
}

/** The one person behind a user's laboratory results and wearables. */
export interface Person extends Ancestry {
  /** The key that it is drawn by, for a user the world's `drawKey`. */
  readonly drawKey: string
  readonly random: Random
  readonly sex: Sex
  readonly birthDate: string
  readonly factors: Factors
  readonly conditions: readonly Condition[]
  readonly treatments: readonly Treatment[]
  /** The first day without periods for good; null for men. */
  readonly menopause: string | null
  readonly course: Course | undefined
  /** Standardised deviation of each trait. */
  readonly deviations: Readonly<Record<Trait, number>>
  readonly home: Coordinates
}

/** Generates a person: a function of the seed, its key and what is known. */
export function makePerson(random: Random, drawKey: string, known: Known): Person {
  const key = `person/${drawKey}`
  const sex = known.sex ?? (random.noise(`${key}/sex`) < 0.5 ? 'female' : 'male')
  const birthDate = known.birthDate ?? drawnBirthDate(random, key)
  const factors = factorsOfCourse(random, key, { sex, birthDate, known })
  const deviations = Object.fromEntries(
    traitNames.map((trait) => [
      trait,
      loaded(factors, loadsOf(trait), standardNormal(random, `${key}/trait/${trait}`)),
    ]),
  ) as Record<Trait, number>
  const menopause =
    sex === 'female' ? dateAtAge(birthDate, 51 + 2.8 * standardNormal(random, `${key}/menopause`)) : null
  const drawn = { random, drawKey, sex, birthDate, factors, deviations, menopause, course: known.course }
  const { course, findings = [] } = known
  const conditions = (course?.conditions ?? naturalConditions(drawn)).filter(
    ({ name }) => sex === 'female' || !femaleConditions.includes(name),
  )
  const treatments = course?.treatments ?? drawnTreatments(drawn, conditions)
  return {
    ...drawn,
    home: known.home ?? SOMEWHERE,
    ...ancestryOf(random.noise(`${key}/ancestry`), known),
    conditions: [...conditions, ...findings],
    treatments,
  }
}

/** Used where no home is known: the middle of the United States. */
const SOMEWHERE: Coordinates = [39.83, -98.58]

/** The liability of those who have a condition that a persona sets, at degree 0 and 1, in standard deviations; assumed. */
const LIABILITY = { mild: 1.2, severe: 2 } as const

/** The hidden factors of a person: those drawn, given what a persona says of traits and conditions. */
function factorsOfCourse(
  random: Random,
  key: string,
  { sex, birthDate, known: { course, begins } }: { sex: Sex; birthDate: string; known: Known },
): Factors {
  let factors = factorsOf(random, key)
  if (!course || begins === undefined) return factors
  const bearer = { sex, age: yearsBetweenDates(birthDate, begins) }
  for (const [trait, value] of entriesOf(course.traits)) {
    const own = standardNormal(random, `${key}/trait/${trait}`)
    const deviation = traitDeviation(trait, bearer, value)
    if (deviation === undefined) continue
    const most = clamp(deviation, -MOST_DEVIATIONS, MOST_DEVIATIONS)
    factors = factorsGiven(factors, loadsOf(trait), own, most)
  }
  for (const { name, degree } of course.conditions) {
    const { loads } = conditionTable.get(name)
    const own = standardNormal(random, `${key}/condition/${name}`)
    const liability = LIABILITY.mild + (LIABILITY.severe - LIABILITY.mild) * degree
    if (loads) factors = factorsGiven(factors, loads, own, liability)
  }
  return factors
}

/** A persona can be more than the factors of anybody explain. */
const MOST_DEVIATIONS = 2.5

/** Ages of 19 to 82, mostly between 25 and 65. */
function drawnBirthDate(random: Random, key: string): string {
  const chance = (random.noise(`${key}/age/1`) + random.noise(`${key}/age/2`)) / 2
  return toDate(Date.UTC(1943 + Math.floor(chance * 63), 0, 1 + random.integer(`${key}/birthday`, 0, 364)))
}

/** Age in years, with fraction. */
export const ageOn = ({ birthDate }: Pick<Person, 'birthDate'>, date: string): number =>
  yearsBetweenDates(birthDate, date)

const dateAtAge = (birthDate: string, years: number): string =>
  daysLater(birthDate, Math.round(years * YEAR_DAYS))

type Drawn = Omit<Person, 'conditions' | 'treatments' | 'home' | keyof Ancestry>

/** A condition is there from the age at which its prevalence exceeds the person's own rank, until it falls below it. */
function naturalConditions(person: Drawn): Condition[] {
  const { random, drawKey, birthDate, factors, menopause } = person
  const found = conditionNames.flatMap((name): Condition[] => {
    const row = conditionTable.get(name)
    if (!row.prevalence) return []
    const key = `person/${drawKey}/condition/${name}`
    const liability = loaded(factors, row.loads ?? {}, standardNormal(random, key))
    const isDiagnosed = random.noise(`${key}/diagnosed`) < (row.diagnosed ?? 0)
    const span = spanAbove(birthDate, row.prevalence[person.sex], 1 - normalShare(liability))
    if (!span) return []
    return [
      {
        name,
        ...span,
        degree: drawnDegree(row, random.noise(`${key}/degree`)),
        isDiagnosed,
      },
    ]
  })
  append(found, naturalPregnancies(person))
  if (menopause === null) return found
  const since = daysLater(menopause, -random.integer(`person/${drawKey}/perimenopause`, 700, 2000))
  const degree = random.noise(`person/${drawKey}/perimenopause/degree`)
  return [...found, { name: 'perimenopause', since, until: menopause, degree, isDiagnosed: false }]
}

/** Years in which at most one pregnancy begins, in the first half of them, so that two never meet. */
const PREGNANCY_YEARS = 2
/** Weeks from the last period to a birth. 10.5 % of births are before 37 (National Vital Statistics, 2021); the rest is assumed. */
const CARRIED_WEEKS = { mean: 39, sd: 1.6, least: 33, most: 42 } as const

/** The pregnancies of a life; each ends with a birth. */
function naturalPregnancies({ random, drawKey, birthDate, menopause }: Drawn): Condition[] {
  if (menopause === null) return []
  const pregnancies: Condition[] = []
  const [last] = birthsAYear.at(-1) ?? [0]
  for (let age = birthsAYear[0]?.[0] ?? 0; age < last; age += PREGNANCY_YEARS) {
    const key = `person/${drawKey}/pregnancy/${age}`
    const begins = age + (PREGNANCY_YEARS / 2) * random.noise(`${key}/begins`)
    if (random.noise(key) >= PREGNANCY_YEARS * valueAt(birthsAYear, begins)) continue
    const since = dateAtAge(birthDate, begins)
    const { mean, sd, least, most } = CARRIED_WEEKS
    const weeks = clamp(mean + sd * standardNormal(random, `${key}/weeks`), least, most)
    const until = daysLater(since, Math.round(7 * weeks))
    if (until < menopause) pregnancies.push({ name: 'pregnancy', since, until, degree: 1, isDiagnosed: true })
  }
  return pregnancies
}

/** Mild is common, severe is rare: an exponential distribution. Its usual mean is chosen so that results are as published. */
const MEAN_DEGREE = 0.18
const drawnDegree = ({ meanDegree = MEAN_DEGREE }: ConditionRow, noise: number): number =>
  Math.min(1, -meanDegree * Math.log(1 - noise))

/** The time of a life in which the prevalence exceeds a share: it rises to a peak, and may fall again. */
function spanAbove(
  birthDate: string,
  points: Points,
  share: number,
): Pick<Treatment, 'since' | 'until'> | undefined {
  const crossing = (nth: number) => {
    const [[age, before], [laterAge, after]] = [points[nth - 1] ?? [0, 0], points[nth] ?? [0, 0]]
    return age + ((laterAge - age) * (share - before)) / (after - before)
  }
  const first = points.findIndex(([, prevalence]) => prevalence > share)
  const [firstAge] = points[first] ?? []
  if (firstAge === undefined) return undefined
  const last = points.findIndex(([, prevalence], nth) => nth > first && prevalence <= share)
  return {
    since: dateAtAge(birthDate, first === 0 ? firstAge : crossing(first)),
    until: last === -1 ? null : dateAtAge(birthDate, crossing(last)),
  }
}

/** The years in which a woman takes the pill: those in which more take it than her own rank. */
function contraception({ random, drawKey, sex, birthDate }: Drawn): Treatment[] {
  if (sex !== 'female') return []
  const span = spanAbove(birthDate, pillUse, random.noise(`person/${drawKey}/treatment/pill`))
  return span ? [{ name: 'contraceptive_pill', ...span }] : []
}

/** Those with the most lipoproteins take a statin first, for good. */
function statin({ factors, birthDate }: Drawn): Treatment[] {
  const span = spanAbove(birthDate, statinUse, 1 - normalShare(factors.lipoproteins))
  return span ? [{ name: 'statin', since: span.since, until: null }] : []
}

function drawnTreatments(drawn: Drawn, conditions: readonly Condition[]): Treatment[] {
  const natural = naturalTreatments(drawn, conditions)
  const hasStatin = natural.some(({ name }) => name === 'statin')
  return [...natural, ...contraception(drawn), ...(hasStatin ? [] : statin(drawn))]
}

/** The days after an onset within which a treatment begins. */
const TREATED_WITHIN_DAYS = 700

/** Of the diagnosed conditions. */
function naturalTreatments({ random, drawKey }: Drawn, conditions: readonly Condition[]): Treatment[] {
  return treatmentNames.flatMap((name) => {
    const row = treatmentTable.get(name)
    const key = `person/${drawKey}/treatment/${name}`
    if (random.noise(key) >= row.taken) return []
    return conditions
      .filter((each) => each.name === row.for && each.isDiagnosed)
      .map(({ since, until }) => ({
        name,
        since: daysLater(since, random.integer(`${key}/delay`, 7, TREATED_WITHIN_DAYS)),
        until,
      }))
  })
}

/** A condition on a day. */
export interface ConditionState {
  readonly name: ConditionName
  readonly degree: number
  /** The share of it that treatment takes away, from 0 to 1. */
  readonly control: number
  readonly sign?: Sign | undefined
}

export function conditionsOn(
  person: Person,
  date: string,
  taken = treatmentsOn(person, date),
): ConditionState[] {
  return person.conditions.flatMap((condition) => {
    const { name, since, until, sign } = condition
    if (date < since || (until !== null && date >= until)) return []
    const control = Math.min(
      1,
      taken.reduce((sum, treatment) => {
        const row = treatmentTable.get(treatment.name)
        return sum + (row.for === name ? row.relief * treatment.share : 0)
      }, 0),
    )
    return [{ name, degree: degreeOn(condition, date), control, sign }]
  })
}

/** The share of a degree with which a condition that grows begins. */
const FIRST_SHARE = 0.5
/** A condition grows to its degree. */
function degreeOn({ name, degree, since }: Condition, date: string): number {
  const { growsYears } = conditionTable.get(name)
  if (growsYears === undefined) return degree
  return degree * (1 - (1 - FIRST_SHARE) * Math.exp(-yearsBetweenDates(since, date) / growsYears))
}

/** A treatment on a day, with the share of its full effect; it fades after the end as it came. */
export function treatmentsOn(person: Person, date: string): { name: TreatmentName; share: number }[] {
  return person.treatments.flatMap(({ name, since, until }) => {
    if (date < since) return []
    const days = 7 * treatmentTable.get(name).weeks
    const shareAfter = (passed: number) => 1 - Math.exp((-3 * passed) / days)
    if (until === null || date < until) return [{ name, share: shareAfter(daysBetween(since, date)) }]
    const share = shareAfter(daysBetween(since, until)) * (1 - shareAfter(daysBetween(until, date)))
    return share < 0.01 ? [] : [{ name, share }]
  })
}

/** Episodes are drawn in blocks of this many days, so that each window shows the same. */
const BLOCK_DAYS = 28
const LONGEST_EPISODE_DAYS = largest(episodeNames.map((name) => episodeTable.get(name).days[1]))

/** The episodes that touch the days from `from` to `until`, both included; oldest first. */
export function episodesBetween(person: Person, from: string, until: string): Episode[] {
  const first = Math.floor((dayNumber(from) - LONGEST_EPISODE_DAYS) / BLOCK_DAYS)
  const last = Math.floor(dayNumber(until) / BLOCK_DAYS)
  const all = [...(person.course?.episodes ?? [])]
  for (let block = first; block <= last; block++) append(all, episodesOfBlock(person, block))
  return all
    .filter((episode) => episode.since <= until && episode.until > from)
    .sort((a, b) => (a.since < b.since ? -1 : 1))
}

const episodesOfBlock = kept(MAX_KEPT, ({ random, drawKey }: Person, block: number): readonly Episode[] => {
  const winter = (1 + seasonOf(dateOfDay(block * BLOCK_DAYS))) / 2
  return episodeNames.flatMap((name) => {
    const { perYear, days } = episodeTable.get(name)
    const key = `person/${drawKey}/episode/${name}/${block}`
    const yearly = perYear.summer + (perYear.winter - perYear.summer) * winter
    if (random.noise(key) >= (yearly * BLOCK_DAYS) / YEAR_DAYS) return []
    const start = block * BLOCK_DAYS + random.integer(`${key}/start`, 0, BLOCK_DAYS - 1)
    const lasts = random.integer(`${key}/days`, days[0], days[1])
    // Most are mild.
    const degree = 0.25 + 0.75 * random.noise(`${key}/degree`) ** 2
    return [{ name, since: dateOfDay(start), until: dateOfDay(start + lasts), degree }]
  })
})

/** The values of a person's traits on one day. */
export type Body = Readonly<Record<Trait, number>>

/** Traits at the age of the day, with what conditions, treatments and episodes do to them. */
export function bodyOn(person: Person, date: string): Record<Trait, number> {
  const body = usualBodyOn(person, date)
  for (const { name, since, until, degree } of episodesBetween(person, date, date)) {
    // It swells and fades.
    const passed = (daysBetween(since, date) + 0.7) / (daysBetween(since, until) + 0.7)
    apply(body, episodeTable.get(name).effects, degree * Math.sin(Math.PI * passed) ** 0.6)
  }
  return body
}

/** The same without episodes: what the body of a day is compared with. */
export function usualBodyOn(person: Person, date: string): Record<Trait, number> {
  const bearer = { sex: person.sex, age: ageOn(person, date) }
  const body = {} as Record<Trait, number>
  for (const trait of traitNames)
    body[trait] = person.course?.traits[trait] ?? traitValue(trait, bearer, person.deviations[trait])
  const taken = treatmentsOn(person, date)
  for (const { name, degree, control } of conditionsOn(person, date, taken))
    apply(body, conditionTable.get(name).effects, degree * (1 - control))
  for (const { name, share } of taken) apply(body, treatmentTable.get(name).effects, share)
  change(body, effectsOfLife(lifeOn(person, date)), 1)
  return body
}

const apply = (body: Record<Trait, number>, effects: TraitEffects | undefined, share: number) =>
  change(body, entriesOf(effects ?? {}), share)

function change(
  body: Record<Trait, number>,
  effects: readonly (readonly [Trait, TraitEffect])[],
  share: number,
): void {
  for (const [trait, { add = 0, times = 1 }] of effects)
    body[trait] = (body[trait] + add * share) * (1 + (times - 1) * share)
}

/** Kilograms. */
export const weightOf = ({ bodyMassIndex, heightCm }: Body): number => bodyMassIndex * (heightCm / 100) ** 2

/** Metres per walking step. */
export const strideOf = ({ heightCm }: Body): number => 0.00428 * heightCm

/** Percent, within what people have. Source: Deurenberg and others, 1991. */
export function fatPercentOf({ sex, birthDate }: Person, { bodyMassIndex }: Body, date: string): number {
  const [less, low, high] = sex === 'male' ? [16.2, 6, 45] : [5.4, 14, 52]
  const percent = 1.2 * bodyMassIndex + 0.23 * ageOn({ birthDate }, date) - less
  return clamp(percent, low, high)
}

/** Maximum heart rate by age; ages below 20 and above 90 count as these. */
export const highestHeart = (person: Person, date: string): number =>
  220 - clamp(yearsBetween(person.birthDate, date), 20, 90)
