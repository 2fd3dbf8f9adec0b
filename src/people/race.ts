import ancestry from '../../seeds/people/ancestry.json' with { type: 'json' }

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
const shares = ancestry as unknown as readonly (readonly [Race, Ethnicity, percent: number])[]

/** Race and ethnicity by a chance from 0 to 1. What is known stays; the other is drawn among people who share it. */
export function ancestryOf(chance: number, known: KnownAncestry): Ancestry {
  const alike = shares.filter(
    ([race, ethnicity]) => (known.race ?? race) === race && (known.ethnicity ?? ethnicity) === ethnicity,
  )
  const possible = alike.length > 0 ? alike : shares
  let left = chance * possible.reduce((sum, [, , percent]) => sum + percent, 0)
  const [race, ethnicity] = possible.find(([, , percent]) => {
    left -= percent
    return left < 0
  }) ?? ['other', 'other']
  return { race: known.race ?? race, ethnicity: known.ethnicity ?? ethnicity }
}
