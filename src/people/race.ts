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
const shares: readonly (readonly [Race, Ethnicity, percent: number])[] = [
  ['white_caucasian', 'non_hispanic', 56.3],
  ['white_caucasian', 'ashkenazi_jewish', 1.5],
  ['african_american_or_black', 'non_hispanic', 12.1],
  ['asian', 'non_hispanic', 5.9],
  ['indigenous_native_american_alaska_native', 'non_hispanic', 0.7],
  ['pacific_islander_or_hawaiian', 'non_hispanic', 0.2],
  ['other', 'non_hispanic', 4.6],
  ['other', 'hispanic', 14],
  ['white_caucasian', 'hispanic', 3.8],
  ['indigenous_native_american_alaska_native', 'hispanic', 0.4],
  ['african_american_or_black', 'hispanic', 0.4],
  ['asian', 'hispanic', 0.1],
]

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
