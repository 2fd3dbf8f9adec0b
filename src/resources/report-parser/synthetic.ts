import { createHash } from 'node:crypto'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { makePerson } from '../../kernel/people.ts'
import type { World } from '../../world/world.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Contents } from './fixtures.ts'
import { type Row, toResult } from './rows.ts'
import type { ParsedReport } from './schema.ts'

type Report = Parsed<typeof ParsedReport>

/** What the metadata of a report that was not read, but made up, call its laboratory. */
export const SYNTHETIC_LAB = 'Petri synthetic report'

/** Made-up reports are dated before this day, so that they do not depend on the clock. */
const LATEST = Date.UTC(2025, 11, 31)

/** Panels of made-up reports. */
const usualPanels = [
  'lipid-panel',
  'comp-metabolic-panel-14',
  'cbc-with-differential-platelet',
  'thyroid-panel',
] as const

/** A report made up from the file's bytes: the same bytes give the same report. */
export function makeReport(world: World, files: readonly Buffer[], wanted?: Contents): Report {
  const hash = createHash('sha256')
  for (const bytes of files) hash.update(bytes)
  const key = hash.digest('hex')
  const random = world.random.fork(`report/${key}`)
  const contents = wanted ?? { panel: random.pick('panel', usualPanels) }
  const { catalogue } = world.parts
  const panel = catalogue.panels().get(contents.panel ?? '')
  const slugs = panel?.analytes ?? contents.analytes ?? []
  const rows = slugs.flatMap((slug) => {
    const analyte = catalogue.analytes().get(slug)
    return analyte ? [rowOf(analyte, random.noise(slug), contents.high?.includes(slug) ?? false)] : []
  })
  const patient = makePerson(random, 'patient')
  const collectedAt = LATEST - DAY_MS * random.integer('age', 1, 300)
  return {
    metadata: {
      patient_first_name: patient.first_name,
      patient_last_name: patient.last_name,
      dob: patient.dob,
      gender: patient.gender,
      lab_name: SYNTHETIC_LAB,
      date_reported: toDate(collectedAt + 2 * DAY_MS),
      date_collected: toDate(collectedAt),
      specimen_number: key.slice(0, 10).toUpperCase(),
    },
    results: (rows.length > 0 ? rows : [unknownRow]).map((row) =>
      toResult(catalogue, { ...row, panel: panel?.name ?? null }),
    ),
  }
}

/** A test that is not in any catalogue. */
const unknownRow: Row = { name: 'Petrine Index', value: '4.2', unit: 'index', range: '1-9' }

/** A value inside of what is usual, or as far above it as the range is wide. */
function rowOf(analyte: AnalyteSeed, noise: number, isHigh: boolean): Row {
  const { name, unit, kind, decimals = 1 } = analyte
  const range = analyte.range ?? analyte.female ?? analyte.male
  const text = range?.text ?? null
  if (kind === 'qualitative') return { name, value: analyte.normal ?? 'Negative', unit, range: null }
  const low = range?.low ?? analyte.typical?.low ?? 0
  const high = range?.high ?? analyte.typical?.high ?? low * 1.5
  const value = isHigh ? high + (high - low) * (0.1 + noise / 2) : low + (high - low) * (0.1 + noise * 0.8)
  return { name, value: value.toFixed(decimals), unit, range: text }
}
