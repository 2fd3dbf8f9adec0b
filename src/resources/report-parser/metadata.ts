import type { Parsed } from '../../api/schema.ts'
import type { ReportMetadata } from './schema.ts'

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
export function* readMetadata(lines: readonly string[]): Generator<void, Metadata> {
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
