import type { Random } from '../../kernel/random.ts'
import { familyOf, formulas } from './derived.ts'
import type { Expected } from './expected.ts'
import { type Patient, rangeFor, type Side } from './ranges.ts'
import type { Goal } from './values.ts'

export type Level = Goal['level']

interface Circumstances {
  readonly random: Random
  readonly key: string
  readonly patient: Patient
}

/** What is to lie outside what is usual, out of the first list that has something. */
export function chooseFirst(
  lists: readonly (readonly Expected[])[],
  level: Level,
  about: Circumstances,
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
  { random, key, patient }: Circumstances,
): Goal | undefined {
  const choices = from.flatMap(({ result: { analyte } }) => {
    if (isNeutral(analyte.slug)) return []
    if (analyte.kind === 'qualitative')
      return [{ slug: analyte.slug, side: 'above' as const, rank: level === 'critical' ? 5 : 0 }]
    const { critical } = analyte
    const range = rangeFor(analyte, patient)
    const isAlarm = level === 'critical' && critical !== undefined
    const bounds = {
      above: range?.high != null && (!isAlarm || critical.high !== null),
      below: (range?.low ?? 0) > 0 && (!isAlarm || critical.low !== null),
    }
    const sides = (['above', 'below'] as const).filter((side) => bounds[side])
    if (sides.length === 0) return []
    const isLonely = familyOf(analyte.slug).length === 1
    const rank = (level === 'critical' && !critical ? 4 : 0) + (isLonely ? 0 : formulas[analyte.slug] ? 2 : 1)
    return [{ slug: analyte.slug, side: pickSide(random, `${key}/side/${analyte.slug}`, sides), rank }]
  })
  const best = Math.min(...choices.map(({ rank }) => rank))
  const chosen = random.pick(
    `${key}/goal`,
    choices.filter(({ rank }) => rank === best),
  )
  return chosen && { slug: chosen.slug, side: chosen.side, level }
}

/** Too much is commoner than too little. */
const pickSide = (random: Random, key: string, sides: readonly Side[]): Side =>
  sides.length === 1 ? (sides[0] as Side) : random.noise(key) < 0.7 ? 'above' : 'below'

/** Results of which no answer is better than another. */
export const isNeutral = (slug: string): boolean => slug === 'abo-grouping'
