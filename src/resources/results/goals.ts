import { conditionNames, conditionTable } from '../../people/conditions.ts'
import { type ConditionState, conditionsOn, type Person } from '../../people/person.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { formulas, notApplicable } from './derived.ts'
import type { Expected } from './expected.ts'
import { models } from './models.ts'
import { type Patient, rangeFor, type Side } from './ranges.ts'
import { type Goal, signsOf } from './values.ts'

export type Level = Goal['level']

export interface GoalContext {
  readonly person: Person
  /** The day of the collection. */
  readonly date: string
  readonly patient: Patient
}

/**
 * The result to be out of range, from the first list that has one: it shows a condition of the person, or a new one. Where
 * none can be critical, one is abnormal.
 */
export function chooseFirst(
  lists: readonly (readonly Expected[])[],
  level: Level,
  about: GoalContext,
): Goal | undefined {
  for (const list of lists) {
    const goal = chooseGoal(list, level, about)
    if (goal) return goal
  }
  return level === 'critical' ? chooseFirst(lists, 'abnormal', about) : undefined
}

/** Whether a result can be abnormal or critical in a patient. */
export const canBe = ({ analyte }: Expected['result'], level: Level, patient: Patient): boolean =>
  choicesOf(analyte, level, patient).length > 0

function chooseGoal(
  from: readonly Expected[],
  level: Level,
  { person, date, patient }: GoalContext,
): Goal | undefined {
  const slugs = new Set(from.map(({ result }) => result.analyte.slug))
  const isTold = ({ analyte: { slug, kind } }: Expected['result']) =>
    kind === 'qualitative' && models[slug]?.from.some((each) => slugs.has(each))
  const choices = from.flatMap(({ result }) =>
    // A word follows the number that is reported with it.
    isTold(result) ? [] : choicesOf(result.analyte, level, patient),
  )
  // What is calculated follows from the others.
  const measured = choices.filter(({ slug }) => !formulas[slug])
  const open = level === 'critical' && measured.length > 0 ? measured : choices
  const shownBy = (cause: ConditionState): Goal[] => {
    const sign = signsOf(cause).find((each) => open.some((choice) => isSame(each, choice)))
    return sign ? [{ slug: sign.slug, side: sign.side, level, cause: atLevel(cause, level) }] : []
  }
  const known = conditionsOn(person, date).filter(({ control }) => control < 0.5)
  const chance = (key: string) => person.random.noise(`person/${person.drawKey}/${key}`)
  const [own] = known.toSorted((a, b) => b.degree - a.degree).flatMap(shownBy)
  if (own) return own
  const possible = conditionNames
    .filter((name) => isPossible(name, person, patient))
    .map((name): ConditionState => ({ name, degree: chance(`degree/${name}`), control: 0 }))
  const conditions = possible.flatMap(shownBy)
  const condition = likeliest(conditions, ({ cause }) => chance(`condition of results/${cause?.name}`))
  if (condition && chance('is a condition') < 0.5) return condition
  const slug = likeliest(open, (each) => chance(`finding/${each.slug}`))?.slug
  const sides = open.filter((each) => each.slug === slug).map(({ side }) => side)
  if (slug === undefined) return undefined
  const side = sides.length > 1 && chance(`side/${slug}`) < 0.3 ? 'below' : (sides[0] ?? 'above')
  const cause = possible.find((each) => signsOf(each).some((sign) => isSame(sign, { slug, side })))
  return {
    slug,
    side,
    level,
    cause: atLevel(cause ?? otherFinding(slug, side, chance(`degree/${slug}`)), level),
  }
}

/** Severe conditions cause critical results. */
const atLevel = (cause: ConditionState, level: Level): ConditionState =>
  level === 'critical' ? { ...cause, degree: Math.max(cause.degree, 0.7 + 0.3 * cause.degree) } : cause

/** A result out of range that no condition explains. */
const otherFinding = (slug: string, side: Side, degree: number): ConditionState => ({
  name: 'other_finding',
  degree,
  control: 0,
  sign: side === 'above' ? { slug, side, mild: 1.05, severe: 1.6 } : { slug, side, mild: 0.96, severe: 0.65 },
})

/** Whether people of this sex and age can have a condition by chance. */
function isPossible(name: (typeof conditionNames)[number], { sex }: Person, { age }: Patient): boolean {
  const [first] = conditionTable.get(name).prevalence?.[sex] ?? []
  return first !== undefined && first[0] <= Math.max(age, 18)
}

/** Picks an item; the rank of an item depends on the key only, not on the other items. */
const likeliest = <Item>(items: readonly Item[], chanceOf: (item: Item) => number): Item | undefined =>
  items.toSorted((a, b) => chanceOf(b) - chanceOf(a))[0]

type Choice = Pick<Goal, 'slug' | 'side'>

const isSame = (sign: Choice, { slug, side }: Choice) => sign.slug === slug && sign.side === side

/** The ways an analyte can be out of range, or beyond the limits at which laboratories phone. */
function choicesOf(analyte: AnalyteSeed, level: Level, patient: Patient): Choice[] {
  const { slug, kind, critical, possible, normal } = analyte
  if (isNeutral(slug) || notApplicable(slug, patient)) return []
  const isAlarm = level === 'critical'
  if (isAlarm && !critical) return []
  // A signal of cancer is critical or absent.
  if (kind === 'qualitative')
    return formulas[slug] || Boolean(critical) !== isAlarm ? [] : [{ slug, side: 'above' }]
  const { low, high } = rangeFor(analyte, patient) ?? { low: null, high: null }
  const bounds = {
    above:
      high !== null &&
      high > 0 &&
      high < (possible?.high ?? Number.POSITIVE_INFINITY) &&
      (!isAlarm || critical?.high != null),
    // What is not detected is normal.
    below: !normal && (low ?? 0) > (possible?.low ?? 0) && (!isAlarm || critical?.low != null),
  }
  return (['above', 'below'] as const).filter((side) => bounds[side]).map((side) => ({ slug, side }))
}

/** Results without a normal or abnormal answer: a blood group, and whether a person is immune. */
const neutral: ReadonlySet<string> = new Set([
  'abo-grouping',
  'hepatitis-a-ab-total',
  'hepatitis-b-surface-ab',
])
export const isNeutral = (slug: string): boolean => neutral.has(slug)
