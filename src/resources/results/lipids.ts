import type { Random } from '../../kernel/random.ts'
import { type Sample, usualLevel } from './levels.ts'
import { totalCholesterol } from './models.ts'
import type { Patient } from './ranges.ts'

/** A person's lipids in a sample, mg/dL. They may be out of range. */
export function lipidsOf(random: Random, userId: string, key: string, patient: Patient) {
  const sample: Sample = {
    random,
    patient,
    key,
    analytes: new Map(),
    mayBeAbnormal: true,
    person: personKey(userId),
  }
  const levelOf = (slug: string) => usualLevel(sample, slug, undefined, 0)
  const ldl = levelOf('~ldl')
  const hdl = levelOf('hdl-cholesterol')
  const triglycerides = levelOf('triglycerides')
  return { ldl, hdl, triglycerides, total: totalCholesterol(ldl, hdl, triglycerides) }
}

/** The key from which a person's levels are derived. */
export const personKey = (userId: string): string => `person/${userId}`
