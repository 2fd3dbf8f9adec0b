import type { Outcome } from './table.ts'

type Failure = Extract<Outcome, { failure_reason: string }>['failure_reason']

/** Slugs of the catalogue: which analytes a report holds, and which of them lie above what is usual. */
export interface Contents {
  readonly panel?: string
  readonly analytes?: readonly string[]
  readonly high?: readonly string[]
}

/**
 * What comes of files of these names, whatever else is in them; the ending does not matter.
 * A name may go on after a blank, a bracket or a point: `petri-cbc (1).pdf`.
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
