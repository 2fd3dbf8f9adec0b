import type { Parsed } from '../../api/schema.ts'
import type { Catalogue } from '../catalogue/service.ts'
import { matchLoinc } from './loinc.ts'
import { readMetadata } from './metadata.ts'
import type { ParsedReport, ParsedResult } from './schema.ts'
import { type Bounds, flagsOf, readRange, typeOfValue } from './values.ts'

export type Report = Parsed<typeof ParsedReport>
type Result = Parsed<typeof ParsedResult>

/** The maximum number of results read from a report. */
const MAX_RESULTS = 500

/** A line of a report before matching. */
export interface Row {
  readonly name: string
  readonly value: string
  readonly unit: string | null
  readonly range: string | null
  readonly panel?: string | null
}

/** Reads the lines of a report, a step each: rows of `name value unit range`, the panel headings above them, and the metadata. */
export function* readReport(catalogue: Catalogue, lines: readonly string[]): Generator<void, Report> {
  const panels = new Map([...catalogue.panels().values()].map(({ name }) => [name.toLowerCase(), name]))
  const results: Result[] = []
  let panel: string | null = null
  for (const line of lines) {
    if (results.length >= MAX_RESULTS) break
    const text = line.trim()
    const heading = panels.get(text.toLowerCase())
    if (heading) panel = heading
    const row = heading ? undefined : readRow(text)
    if (row) results.push(toResult(catalogue, { ...row, panel }))
    yield
  }
  return { metadata: yield* readMetadata(lines), results }
}

/** A row with its interpretation. */
export function toResult(catalogue: Catalogue, { name, value, unit, range, panel }: Row): Result {
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
    sample_type: analyte ? (analyte.category === 'urine' ? 'urine' : 'serum_plasma_blood') : 'unknown',
    measurement_kind: kindOf(name, analyte !== undefined),
    sensitivity: 'unknown',
    ...flagsOf(value, type, bounds),
    ...matches,
  }
}

function kindOf(name: string, isKnown: boolean): Result['measurement_kind'] {
  if (/\bratio\b/i.test(name)) return 'ratio'
  if (/\bcalc/i.test(name)) return 'calculated'
  return isKnown ? 'direct' : 'unknown'
}

const WORDS = /^(positive|negative|reactive|non-reactive|nonreactive|detected|not-detected|yes|no|trace)$/i
const VALUE = /^(?:[<>]=?)?\d{1,9}(?:[.,]\d{1,9})?%?$|^\d{1,3}:\d{2}$/
const UNIT =
  /^(?:%|[a-zA-Z\u00b5\u03bc%0-9.^*]{1,12}\/[a-zA-Z\u00b5\u03bc0-9.^*\u00b2]{1,12}(?:\/[a-zA-Z0-9.]{1,8})?|fL|pg|mg|g|U|IU|mmHg|sec|seconds|ratio|index)$/
const FLAG = /^(?:H|L|A|N|HH|LL|HIGH|LOW|NORMAL|ABNORMAL|CRITICAL|\*)$/i

/** `Glucose 92 mg/dL 65-99`; without unit and range only a value that is a word counts. */
function readRow(line: string): Row | undefined {
  const tokens = line
    .replace(/(\d)\s*[-\u2013]\s*(\d)/g, '$1-$2')
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
      .replace(/[:.\u2026]+$/, '')
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
    if (unit === null && UNIT.test(token)) unit = token
    else if (range === null && readRange(token)) range = token
    else return undefined
  }
  return { unit, range }
}
