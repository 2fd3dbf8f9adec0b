import * as z from 'zod'
import ancestryRows from '../../seeds/people/ancestry.json' with { type: 'json' }
import { bundledTable } from '../kernel/seed-table.ts'

/** Source: docs/contract/users.md. */
export const races = [
  'african_american_or_black',
  'asian',
  'indigenous_native_american_alaska_native',
  'other',
  'pacific_islander_or_hawaiian',
  'white_caucasian',
] as const
export type Race = (typeof races)[number]

export const ethnicities = ['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other'] as const
export type Ethnicity = (typeof ethnicities)[number]

export interface Ancestry {
  readonly race: Race
  readonly ethnicity: Ethnicity
}

/** What is known of it. */
export interface KnownAncestry {
  readonly race?: Race | undefined
  readonly ethnicity?: Ethnicity | undefined
}

/**
 * Percent of the population of the United States; two or more races count as other. Sources: 2020 Census; one White
 * person of forty as Ashkenazi, Pew Research Center 2020, rounded.
 */
const shares = bundledTable('people/ancestry.json', ancestryRows, () =>
  z.strictObject({ race: z.enum(races), ethnicity: z.enum(ethnicities), percent: z.number() }),
)

/** Race and ethnicity by a chance from 0 to 1. What is known stays; the other is drawn among people who share it. */
export function ancestryOf(chance: number, known: KnownAncestry): Ancestry {
  const all = [...shares.values()]
  const alike = all.filter(
    ({ race, ethnicity }) => (known.race ?? race) === race && (known.ethnicity ?? ethnicity) === ethnicity,
  )
  const possible = alike.length > 0 ? alike : all
  let left = chance * possible.reduce((sum, { percent }) => sum + percent, 0)
  const drawn = possible.find(({ percent }) => {
    left -= percent
    return left < 0
  })
  return {
    race: known.race ?? drawn?.race ?? 'other',
    ethnicity: known.ethnicity ?? drawn?.ethnicity ?? 'other',
  }
}
