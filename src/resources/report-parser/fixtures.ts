import type { Outcome } from './table.ts'

type Failure = Extract<Outcome, { failure_reason: string }>['failure_reason']

/** Catalogue slugs of a report's analytes, and of those above their range. */
export interface Contents {
  readonly panel?: string
  readonly analytes?: readonly string[]
  readonly high?: readonly string[]
}

/**
 * Outcomes by the beginning of the file name, whatever the file contains.
 * The name may continue after a space, a bracket or a dot: `petri-cbc (1).pdf`.
 */
export const fixtures: Readonly<Record<string, Contents | Failure>> = {
  'petri-lipids': { panel: 'lipid-panel', high: ['ldl-cholesterol-calc', 'cholesterol-total'] },
  'petri-cbc': { panel: 'cbc-with-differential-platelet' },
  'petri-cmp': { panel: 'comp-metabolic-panel-14', high: ['glucose'] },
  'petri-thyroid': { panel: 'thyroid-panel', high: ['tsh'] },
  'petri-hormones': {
    analytes: ['testosterone-total', 'estradiol', 'prolactin', 'cortisol', 'dhea-sulfate'],
  },
  'petri-no-match': {},
  'petri-invalid-input': 'invalid_input',
  'petri-low-quality': 'low_quality',
  'petri-not-english': 'not_english',
  'petri-too-many-pages': 'too_many_pages',
  'petri-processing-error': 'processing_error',
}

export function fixtureOf(fileName: string): Contents | Failure | undefined {
  const [name] = /^petri-[a-z-]+/.exec(fileName.toLowerCase()) ?? []
  return name === undefined ? undefined : fixtures[name]
}
