import type { Parsed } from '../../api/schema.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Catalogue } from '../catalogue/service.ts'
import { matchLoinc } from './loinc.ts'
import type { ParsedReport, ParsedResult, ReportMetadata } from './schema.ts'

export type LabReport = Parsed<typeof ParsedReport>
type Result = Parsed<typeof ParsedResult>

/** The maximum number of results read from a report. */
const MAX_RESULTS = 500

/** A line of a report before matching. */
export interface ReportLine {
  readonly name: string
  readonly value: string
  readonly unit: string | null
  readonly range: string | null
  readonly panel?: string | null
}

/** Reads the lines of a report, a step each: rows of `name value unit range`, the panel headings above them, and the metadata. */
export function* readReport(catalogue: Catalogue, lines: readonly string[]): Generator<void, LabReport> {
  const panels = new Map([...catalogue.panels().values()].map(({ name }) => [name.toLowerCase(), name]))
  const results: Result[] = []
  let panel: string | null = null
  const hasDecimalCommas = lines.some((line) => DECIMAL_COMMA.test(line))
  for (const line of lines) {
    if (results.length >= MAX_RESULTS) break
    const text = hasDecimalCommas ? line.trim() : line.trim().replace(THOUSANDS, '')
    const heading = panels.get(text.toLowerCase())
    if (heading) panel = heading
    const row = heading ? undefined : readRow(text)
    if (row) results.push(toResult(catalogue, { ...row, panel }))
    yield
  }
  return { metadata: yield* readMetadata(lines), results }
}

/** A comma before other than three digits; every comma of such a report is a decimal one. */
const DECIMAL_COMMA = /(?:^|[\s<>=-])\d+,(?:\d{1,2}|\d{4,})(?![\d,])/
/** A comma that separates thousands. */
const THOUSANDS = /(?<=(?:^|[\s<>=\u2013-])[1-9]\d{0,2}(?:,\d{3})*),(?=\d{3}(?!\d))/g

/** A row with its interpretation. */
export function toResult(catalogue: Catalogue, { name, value, unit, range, panel }: ReportLine): Result {
  const bounds: Bounds = (range ? readRange(range) : undefined) ?? { min: null, max: null }
  const type = typeOfValue(value)
  const { analyte, ...matches } = matchLoinc(catalogue, name, unit)
  return {
    test_name: name,
    value,
    type,
    units: unit,
    min_reference_range: bounds.min,
    max_reference_range: bounds.max,
    source_panel_name: panel ?? null,
    sample_type: sampleTypeOf(analyte),
    measurement_kind: kindOf(name, analyte !== undefined),
    sensitivity: 'unknown',
    ...flagsOf(value, type, bounds),
    ...matches,
  }
}

function sampleTypeOf(analyte: AnalyteSeed | undefined): Result['sample_type'] {
  if (!analyte) return 'unknown'
  return analyte.category === 'urine' ? 'urine' : 'serum_plasma_blood'
}

function kindOf(name: string, isKnown: boolean): Result['measurement_kind'] {
  if (/\bratio\b/i.test(name)) return 'ratio'
  if (/\bcalc/i.test(name)) return 'calculated'
  return isKnown ? 'direct' : 'unknown'
}

const WORDS = /^(positive|negative|reactive|non-reactive|nonreactive|detected|not-detected|yes|no|trace)$/i
const VALUE = /^(?:[<>]=?)?\d{1,9}(?:[.,]\d{1,9})?%?$|^\d{1,3}:\d{2}$/
const UNIT =
  /^(?:%|[a-zA-Z\u00b5\u03bc%0-9.^*()]{0,12}\/[a-zA-Z\u00b5\u03bc0-9.^*\u00b2]{1,12}(?:\/[a-zA-Z0-9.]{1,8})?|fL|pg|mg|g|U|IU|mmHg|sec|seconds|ratio|index)$/
/** Words that follow a unit: `mg/dL (calc)`, `% of total Hgb`. */
const OF_UNIT = /^(?:\(calc\)|of|total|Hgb)$/
const FLAG = /^(?:H|L|A|N|HH|LL|HIGH|LOW|NORMAL|ABNORMAL|CRITICAL|\*)$/i

/** `Glucose 92 mg/dL 65-99`; without unit and range only a value that is a word counts. */
function readRow(line: string): ReportLine | undefined {
  const tokens = line
    .replace(/(\d)(?:\s*[-\u2013]\s*|\s+to\s+)(\d)/g, '$1-$2')
    .replace(/([<>])\s*OR\s*=/gi, '$1=')
    .replace(/([<>]=?)\s+(\d)/g, '$1$2')
    .split(/\s+/)
  for (let at = 1; at < tokens.length; at++) {
    const value = tokens[at] ?? ''
    if (!VALUE.test(value) && !WORDS.test(value)) continue
    const rest = readRest(tokens.slice(at + 1))
    if (!rest) continue
    const name = tokens
      .slice(0, at)
      .join(' ')
      .replace(/[\s:.\u2026]+$/, '')
    if (!/[a-z]{2}/i.test(name)) continue
    if (rest.unit || rest.range || WORDS.test(value)) return { name, value, ...rest }
  }
  return undefined
}

/** Unit, range and flag after a value, each at most once; undefined when there is anything else. */
function readRest(tokens: readonly string[]): { unit: string | null; range: string | null } | undefined {
  let unit: string | null = null
  let range: string | null = null
  for (const token of tokens) {
    if (FLAG.test(token)) continue
    if (unit === null ? token === '(calc)' : OF_UNIT.test(token)) {
      unit = unit === null ? token : `${unit} ${token}`
      continue
    }
    if (unit === null && UNIT.test(token)) unit = token
    else if (range === null && readRange(token)) range = token
    else return undefined
  }
  return { unit, range }
}

type ResultType = NonNullable<Result['type']>

const NUMBER = '\\d{1,9}(?:[.,]\\d{1,9})?'
const forms: readonly (readonly [ResultType, RegExp])[] = [
  ['numeric', new RegExp(`^[-+]?${NUMBER}$`)],
  ['percentage', /%/],
  ['range', new RegExp(`^(?:[<>≤≥]=?\\s?${NUMBER}|${NUMBER}\\s?-\\s?${NUMBER})$`)],
  ['ratio', new RegExp(`^${NUMBER}\\s?[/:]\\s?${NUMBER}$`)],
  ['boolean', /^(yes|no|positive|negative|true|false)$/i],
  ['duration', new RegExp(`^(?:${NUMBER}\\s?(?:h|hr|hrs|hours?|min|mins|minutes?)|\\d{1,3}:\\d{2})$`, 'i')],
]

/** The kind of a value, derived from the value. Source: docs/contract/report-parser.md. */
export function typeOfValue(value: string): ResultType {
  if (/^\d{1,3}:\d{2}$/.test(value)) return 'duration'
  return forms.find(([, form]) => form.test(value))?.[0] ?? 'comment'
}

interface Bounds {
  readonly min: number | null
  readonly max: number | null
}

/** Parses `3.5-5.1`, `<200` or `>=39`; undefined for other text. */
export function readRange(text: string): Bounds | undefined {
  const compact = text.replace(/[()\s]/g, '').replace(/,/g, '.')
  const both = /^(\d{1,9}(?:\.\d{1,9})?)[-\u2013](\d{1,9}(?:\.\d{1,9})?)$/.exec(compact)
  if (both) return { min: Number(both[1]), max: Number(both[2]) }
  const one = /^([<>\u2264\u2265])=?(\d{1,9}(?:\.\d{1,9})?)$/.exec(compact)
  if (!one) return undefined
  const bound = Number(one[2])
  return one[1] === '<' || one[1] === '≤' ? { min: null, max: bound } : { min: bound, max: null }
}

type Flags = Pick<Result, 'interpretation' | 'is_above_max_range' | 'is_below_min_range'>
const unknown: Flags = { interpretation: 'unknown', is_above_max_range: null, is_below_min_range: null }

/** Whether a value is in range; of a value with a comparator only if it is conclusive. */
export function flagsOf(value: string, type: ResultType, { min, max }: Bounds): Flags {
  if (min === null && max === null) return unknown
  if (type === 'numeric' || type === 'percentage') {
    const amount = Number.parseFloat(value.replace(',', '.'))
    return Number.isNaN(amount) ? unknown : flags(max !== null && amount > max, min !== null && amount < min)
  }
  const bounds = type === 'range' ? readRange(value) : undefined
  if (!bounds) return unknown
  const isAbove = max !== null && bounds.min !== null && bounds.min >= max
  const isBelow = min !== null && bounds.max !== null && bounds.max <= min
  const isInside =
    (max === null || (bounds.max !== null && bounds.max <= max)) &&
    (min === null || (bounds.min !== null && bounds.min >= min))
  return isAbove || isBelow || isInside ? flags(isAbove, isBelow) : unknown
}

const flags = (isAbove: boolean, isBelow: boolean): Flags => ({
  interpretation: isAbove || isBelow ? 'abnormal' : 'normal',
  is_above_max_range: isAbove,
  is_below_min_range: isBelow,
})

type Metadata = Parsed<typeof ReportMetadata>
type Field = 'patient' | Exclude<keyof Metadata, 'patient_first_name' | 'patient_last_name'>

/** The labels of metadata in reports. */
const labels: readonly (readonly [Field, RegExp])[] = [
  ['patient', /^(?:patient|patient name|name)$/i],
  ['dob', /^(?:dob|date of birth|born)\b/i],
  ['gender', /^(?:sex|gender)$/i],
  ['lab_name', /^(?:lab|laboratory|performing lab|performing laboratory)$/i],
  ['date_reported', /^(?:reported|date reported|report date)$/i],
  ['date_collected', /^(?:collected|date collected|collection date)$/i],
  ['specimen_number', /^(?:specimen|specimen id|specimen number|accession|accession number)$/i],
]

/** The metadata of a report, a step a line. Missing values are empty, because the official client does not accept null for them. */
function* readMetadata(lines: readonly string[]): Generator<void, Metadata> {
  const found = new Map<Field, string>()
  let cells = cellsOf(lines[0])
  for (const at of lines.keys()) {
    const below = cellsOf(lines[at + 1])
    for (const [label, value] of pairsOf(cells, below)) {
      const field = labels.find(([, form]) => form.test(label))?.[0]
      if (field && value && !found.has(field)) found.set(field, value)
    }
    cells = below
    yield
  }
  const [first, last] = namesOf(found.get('patient'))
  return {
    patient_first_name: first,
    patient_last_name: last,
    dob: found.get('dob') ?? '',
    gender: genderOf(found.get('gender')),
    lab_name: found.get('lab_name') ?? '',
    date_reported: found.get('date_reported') ?? null,
    date_collected: found.get('date_collected') ?? null,
    specimen_number: found.get('specimen_number') ?? null,
  }
}

const cellsOf = (line = ''): string[] => line.trim().split(/\s{2,}/)

/** Labels and values: `Label: value`, a label in the cell before its value, or a row of labels over one of values. */
function pairsOf(
  cells: readonly string[],
  below: readonly string[],
): (readonly [label: string, value: string])[] {
  const isHeading = cells.length > 1 && cells.length === below.length && !cells.join('').includes(':')
  return cells.flatMap((cell, column) => {
    const [label = '', ...rest] = cell.split(':')
    if (rest.length > 0) return [[label.trim(), rest.join(':').trim() || (cells[column + 1] ?? '')]]
    return isHeading ? [[cell, below[column] ?? '']] : []
  })
}

/** `Reilly, Elva` and `Elva Reilly` name the same person. */
function namesOf(patient = ''): [first: string, last: string] {
  const [last = '', first] = patient.split(/,\s*/)
  if (first) return [first, last]
  const words = patient.split(/\s+/)
  return words.length === 1 ? [patient, ''] : [words.slice(0, -1).join(' '), words.at(-1) ?? '']
}

function genderOf(text = ''): Metadata['gender'] {
  if (/^(f|female)$/i.test(text)) return 'female'
  return /^(m|male)$/i.test(text) ? 'male' : 'other'
}
