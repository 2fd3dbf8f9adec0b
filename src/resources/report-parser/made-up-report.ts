import { byName } from '../../kernel/fields.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { makeIdentity } from '../../kernel/people.ts'
import { conditionNames } from '../../people/conditions.ts'
import { yearsBetween } from '../../people/dates.ts'
import { makePerson } from '../../people/person.ts'
import type { World } from '../../world/world.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import {
  type DrawnSample,
  familyValues,
  type Goal,
  type Range,
  rangeFor,
  signsOf,
  type Value,
  withConditions,
} from '../results/service.ts'
import { type LabReport, type ReportLine, toResult } from './read-report.ts'
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
export const fixtures = byName<Contents | Failure>({
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
})

export function fixtureOf(fileName: string): Contents | Failure | undefined {
  const [name] = /^petri-[a-z-]+/.exec(fileName.toLowerCase()) ?? []
  return name === undefined ? undefined : fixtures[name]
}

/** The laboratory's name in a made-up report. */
const SYNTHETIC_LAB = 'Petri synthetic report'

/** Made-up reports are dated before this day, so that they do not depend on the clock. */
const LATEST = Date.UTC(2025, 11, 31)

/** Panels of made-up reports. */
const usualPanels = [
  'lipid-panel',
  'comp-metabolic-panel-14',
  'cbc-with-differential-platelet',
  'thyroid-panel',
] as const

/** A report made up from the hash of the files: the same bytes give the same report. */
export function makeReport(world: World, key: string, wanted?: Contents): LabReport {
  const random = world.random.fork(`report/${key}`)
  const contents = wanted ?? { panel: random.pick('panel', usualPanels) }
  const catalogue = world.services.catalogue
  const panel = catalogue.panels().get(contents.panel ?? '')
  const slugs = panel?.analytes ?? contents.analytes ?? []
  const person = makePerson(random, key, {})
  const { sex, birthDate } = person
  const { first_name, last_name } = makeIdentity(random, key, sex, '713')
  const collectedAt = LATEST - DAY_MS * random.integer('age', 1, 300)
  const date = toDate(collectedAt)
  const patient = { sex, age: yearsBetween(birthDate, date) }
  const sample: DrawnSample = {
    person,
    key,
    date,
    patient,
    analytes: catalogue.analytes(),
    isNatural: false,
    effects: new Map(),
  }
  const values = valuesOf(sample, slugs, contents.high)
  const rows = slugs.flatMap((slug) => {
    const analyte = catalogue.analytes().get(slug)
    return analyte ? [rowOf(analyte, values.get(slug), rangeFor(analyte, patient))] : []
  })
  return {
    metadata: {
      patient_first_name: first_name,
      patient_last_name: last_name,
      dob: birthDate,
      gender: sex,
      lab_name: SYNTHETIC_LAB,
      date_reported: toDate(collectedAt + 2 * DAY_MS),
      date_collected: date,
      specimen_number: key.slice(0, 10).toUpperCase(),
    },
    results: (rows.length > 0 ? rows : [unknownRow]).map((row) =>
      toResult(catalogue, { ...row, panel: panel?.name ?? null }),
    ),
  }
}

/** A test that is not in any catalogue. */
const unknownRow: ReportLine = { name: 'Petrine Index', value: '4.2', unit: 'index', range: '1-9' }

/** Values of one sample, some of them above their range, because of a condition that raises them. */
function valuesOf(sample: DrawnSample, slugs: readonly string[], high: readonly string[] = []) {
  const goals = high.map((slug): Goal => ({ slug, level: 'abnormal', side: 'above' }))
  const causes = conditionNames.filter((name) =>
    signsOf({ name })
      .slice(0, 2)
      .some((sign) => sign.side === 'above' && high.includes(sign.slug)),
  )
  const conditions = causes.slice(0, 1).map((name) => ({ name, degree: 0.5, control: 0 }))
  const changed = withConditions(sample, conditions)
  return new Map(slugs.flatMap((slug) => [...familyValues(changed, slug, goals)]))
}

function rowOf(
  { name, unit, kind, normal, decimals = 0 }: AnalyteSeed,
  value: Value | undefined,
  range?: Range,
): ReportLine {
  if (kind === 'qualitative') return { name, value: normal ?? 'Negative', unit, range: null }
  const text = typeof value === 'number' ? value.toFixed(decimals) : (value ?? 'Not measured')
  return { name, value: text, unit, range: range?.text ?? null }
}
