import type { LabEffect } from '../../people/conditions.ts'
import type { Draw } from './levels.ts'

/**
 * After a meal, compared with a fast: triglycerides and glucose in the hours after a usual meal; insulin is assumed to double.
 * Non-fasting triglycerides are up to 26 mg/dL higher (92,285 people, Langsted and Nordestgaard 2019).
 */
const afterMeals: readonly LabEffect[] = [
  { slug: 'triglycerides', times: 1.22 },
  { slug: '~glucose', times: 1.07 },
  { slug: 'insulin', times: 2 },
  { slug: '~c-peptide', times: 1.1 },
]

/** At four in the afternoon compared with eight in the morning: cortisol halves; the others are assumed. */
const inTheAfternoon: readonly LabEffect[] = [
  { slug: 'cortisol', times: 0.5 },
  { slug: 'iron', times: 0.8 },
  { slug: 'tsh', times: 0.85 },
  { slug: 'testosterone-total', times: 0.85 },
]
const [MORNING, AFTERNOON] = [8, 16]

/** The multiples by which the hour of a draw, and a meal before it, change a sample. */
export function multiplesAt({ hour, isFasting }: Draw): LabEffect[] {
  const share = Math.min(1.2, Math.max(0, (hour - MORNING) / (AFTERNOON - MORNING)))
  const byHour = inTheAfternoon.map(({ slug, times }) => ({ slug, times: times ** share }))
  return isFasting ? byHour : [...byHour, ...afterMeals]
}
