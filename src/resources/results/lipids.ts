import type { Random } from '../../kernel/random.ts'
import { type Sample, usualLevel } from './levels.ts'
import { totalCholesterol } from './models.ts'
import type { Patient } from './ranges.ts'

/** A person's lipids in a sample, mg/dL; nobody judges them, so they are those of anybody. */
export function lipidsOf(random: Random, userId: string, key: string, patient: Patient) {
  const sample: Sample = {
    ...{ random, patient, key, analytes: new Map(), isUnjudged: true },
    person: personKey(userId),
  }
  const [ldl, hdl, triglycerides] = ['~ldl', 'hdl-cholesterol', 'triglycerides'].map((slug) =>
    usualLevel(sample, slug, undefined, 0),
  ) as [number, number, number]
  return { ldl, hdl, triglycerides, total: totalCholesterol(ldl, hdl, triglycerides) }
}

/** What a person's levels are a function of. */
export const personKey = (userId: string): string => `person/${userId}`
