import { createRandom } from '../../src/kernel/random.ts'
import { makePerson, type Person } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue, type Marker } from '../../src/resources/catalogue/service.ts'
import type { Expected } from '../../src/resources/results/expected.ts'
import type { DrawnSample } from '../../src/resources/results/levels.ts'
import { type LineSource, linesOf } from '../../src/resources/results/lines.ts'
import type { Patient } from '../../src/resources/results/ranges.ts'

export const patient: Patient = { sex: 'female', age: 45 }
export const analytes = createCatalogue().analytes()

export function analyteOf(slug: string): AnalyteSeed {
  const analyte = analytes.get(slug)
  if (!analyte) throw new Error(`The catalogue has no ${slug}`)
  return analyte
}

/** A marker of a laboratory that tests name by its id alone. */
export const markerOf = (id: number, more: object = {}): Marker =>
  ({
    id,
    name: `Marker ${id}`,
    slug: `marker-${id}`,
    provider_id: `M${id}`,
    lab: { name: 'A laboratory' },
    results: [],
    reflex: [],
    ...more,
  }) as unknown as Marker

/** A result of the catalogue as an order expects it, of one marker. */
export const expectedOf = (slug: string, { id = 1, marker = markerOf(1) } = {}): Expected => ({
  result: {
    id,
    name: `The ${slug}`,
    slug: `lab-${slug}`,
    provider_id: `P-${slug}`,
    lab_id: 1,
    required: true,
    analyte: analyteOf(slug),
  },
  markers: [marker],
})

/** Somebody of 45 years on the day of the samples. */
export const personOf = (id = 'somebody', sex: Person['sex'] = 'female'): Person =>
  makePerson(createRandom('seed'), id, { sex, birthDate: '1980-06-01' })

/** A sample of hers in which nothing is out of the ordinary. */
export const sampleOf = (more: Partial<DrawnSample> = {}): DrawnSample => ({
  person: personOf(),
  key: 'one',
  date: '2026-01-05',
  patient,
  analytes,
  isNatural: true,
  effects: new Map(),
  ...more,
})

export const REPORTED = '2026-01-05T09:00:00+00:00'

/** The lines of one result. */
export const linesFor = (slug: string, source: Partial<LineSource> = {}, more: Partial<Expected> = {}) =>
  linesOf(
    { ...expectedOf(slug), ...more },
    {
      random: createRandom('seed'),
      key: 'one',
      drawKey: 'somebody',
      patient,
      goal: undefined,
      isUnknown: false,
      at: REPORTED,
      sampleId: null,
      type: 'numeric',
      isMeasured: true,
      of: () => undefined,
      value: undefined,
      note: undefined,
      origins: [],
      ...source,
    },
  )
