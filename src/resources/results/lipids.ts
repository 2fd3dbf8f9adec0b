import { conditionsOn, type Person } from '../../people/person.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { drawOf } from './levels.ts'
import { totalCholesterol } from './models.ts'
import type { Patient } from './ranges.ts'
import { withConditions } from './values.ts'

const lipid = (slug: string, low: number, high: number | null): [string, AnalyteSeed] => [
  slug,
  {
    slug,
    name: slug,
    category: 'lipids',
    kind: 'numeric',
    unit: 'mg/dL',
    range: { low, high, text: '' },
    loinc: null,
  },
]

/** The lipids of the catalogue and their ranges, which are those of all adults. */
const analytes = new Map([
  lipid('cholesterol-total', 100, 199),
  lipid('hdl-cholesterol', 39, null),
  lipid('ldl-cholesterol-calc', 0, 99),
  lipid('triglycerides', 0, 149),
])

/** A person's lipids in a sample, mg/dL. They may be out of range. */
export function lipidsOf(person: Person, key: string, date: string, patient: Patient) {
  const sample = withConditions(
    { person, key, date, patient, analytes, isNatural: true, effects: new Map() },
    conditionsOn(person, date),
  )
  const levelOf = (slug: string) => drawOf(sample, slug)(0)
  const ldl = levelOf('~ldl')
  const hdl = levelOf('hdl-cholesterol')
  const triglycerides = levelOf('triglycerides')
  return { ldl, hdl, triglycerides, total: totalCholesterol(ldl, hdl, triglycerides) }
}
