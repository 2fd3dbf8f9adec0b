import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { notApplicable } from './derived.ts'
import type { Expected } from './expected.ts'
import { patterns } from './patterns.ts'
import { criticalOf, type Patient, rangeFor, type Side } from './ranges.ts'
import type { Goal } from './values.ts'

export type Level = Goal['level']

interface GoalContext {
  readonly random: Random
  readonly person: string
  readonly patient: Patient
}

/** The results to be out of range, from the first non-empty list. */
export function chooseFirst(
  lists: readonly (readonly Expected[])[],
  level: Level,
  about: GoalContext,
): Goal | undefined {
  for (const list of lists) {
    const goal = chooseGoal(list, level, about)
    if (goal) return goal
  }
  return undefined
}

function chooseGoal(
  from: readonly Expected[],
  level: Level,
  { random, person, patient }: GoalContext,
): Goal | undefined {
  const choices = from.flatMap(({ result: { analyte } }) => choicesOf(analyte, level, patient))
  const best = Math.min(...choices.map(({ rank }) => rank))
  const open = choices.filter(({ rank }) => rank === best)
  const conditions = Object.entries(patterns).flatMap(([pattern, signs]) => {
    const lead = signs.find((sign) => open.some((each) => isSign(sign, each)))
    return lead ? [{ pattern, slug: lead.slug, side: lead.side }] : []
  })
  const condition = likeliest(conditions, ({ pattern }) => random.noise(`${person}/condition/${pattern}`))
  if (condition && random.noise(`${person}/is a condition`) < 0.5) return { ...condition, level }
  const slug = likeliest(open, (each) => random.noise(`${person}/finding/${each.slug}`))?.slug
  const sides = open.flatMap((each) => (each.slug === slug ? [each.side] : []))
  if (slug === undefined) return undefined
  const found = { slug, side: pickSide(random, `${person}/side/${slug}`, sides), level }
  return { ...found, pattern: conditions.find((each) => isSign(each, found))?.pattern }
}

/** Picks an item; the rank of an item depends on the key only, not on the other items. */
const likeliest = <Item>(items: readonly Item[], chanceOf: (item: Item) => number): Item | undefined =>
  items.toSorted((a, b) => chanceOf(b) - chanceOf(a))[0]

type Choice = Pick<Goal, 'slug' | 'side'> & { readonly rank: number }

const isSign = (sign: Pick<Goal, 'slug' | 'side'>, { slug, side }: Pick<Goal, 'slug' | 'side'>) =>
  sign.slug === slug && sign.side === side

/** The ways an analyte can be out of range; critical ones first if a critical result is requested. */
function choicesOf(analyte: AnalyteSeed, level: Level, patient: Patient): Choice[] {
  const { slug, kind } = analyte
  if (isNeutral(slug) || notApplicable(slug, patient)) return []
  if (kind === 'qualitative') return [{ slug, side: 'above', rank: level === 'critical' ? 2 : 0 }]
  const range = rangeFor(analyte, patient)
  const limits = criticalOf(analyte)
  const isAlarm = level === 'critical' && (limits.low !== null || limits.high !== null)
  const rank = level === 'critical' && !isAlarm ? 1 : 0
  const bounds = {
    above: range?.high != null && range.high > 0 && (!isAlarm || limits.high !== null),
    below: (range?.low ?? 0) > 0 && (!isAlarm || limits.low !== null),
  }
  return (['above', 'below'] as const).flatMap((side) => (bounds[side] ? [{ slug, side, rank }] : []))
}

/** High values are more common than low ones. */
function pickSide(random: Random, key: string, sides: readonly Side[]): Side {
  const [only, another] = sides
  if (only && !another) return only
  return random.noise(key) < 0.7 ? 'above' : 'below'
}

/** Results without a normal or abnormal answer. */
export const isNeutral = (slug: string): boolean => slug === 'abo-grouping'
