import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import type { DiagnosisSeed } from '../catalogue/schema.ts'
import type { Diagnosis, IcdCheck } from './schema.ts'

/** The most that a search answers. */
const MOST_FOUND = 50

/** Diagnoses by the beginning of their code, or by words of their description, in the order of the codes. */
export function searchDiagnoses(world: World, query: string): Parsed<typeof Diagnosis>[] {
  const wanted = query.trim()
  if (wanted === '') return []
  const code = withPoint(wanted)
  const words = wanted.toUpperCase().split(/\s+/)
  return [...world.parts.catalogue.diagnoses().values()]
    .filter((diagnosis) => diagnosis.code.startsWith(code) || isDescribedBy(diagnosis, words))
    .slice(0, MOST_FOUND)
    .map(({ code: diagnosis_code, description, is_secondary }) => ({
      diagnosis_code,
      description,
      is_secondary,
    }))
}

/** How long words stand in descriptions. */
const abbreviations: Readonly<Record<string, string>> = {
  UNSPECIFIED: 'UNSP',
  WITHOUT: 'W/O',
  WITH: 'W',
  DEFICIENCY: 'DEFIC',
  ENCOUNTER: 'ENCNTR',
  GENERAL: 'GEN',
  HISTORY: 'HX',
  MALIGNANT: 'MALIG',
  CHRONIC: 'CHR',
  DISEASE: 'DIS',
  OTHER: 'OTH',
  MELLITUS: '',
}

const isDescribedBy = ({ description }: DiagnosisSeed, words: readonly string[]): boolean =>
  words.every((word) => {
    const short = abbreviations[word]
    return description.includes(word) || (short !== undefined && description.includes(short))
  })

const WELL_FORMED = /^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/

/** Whether codes exist and may stand together. A well-formed code that is not among the seeds is taken for a real one. Source: contract/lab-testing.md §15. */
export function checkIcdCodes(world: World, codes: readonly string[]): Parsed<typeof IcdCheck> {
  const given = [...new Set(codes.map(withPoint))]
  const known = [...world.parts.catalogue.diagnoses().keys()]
  const errors = given.flatMap((code) => faultOf(code, known) ?? [])
  const pairs = given.flatMap((code, at) => given.slice(at + 1).map((other) => [code, other] as const))
  const violations = pairs
    .filter(([code, other]) => areExcluded(world, 'excludes1', code, other))
    .map(([code, other]) => ({ code, conflicts_with: other, type: 'excludes1' as const }))
  const warnings = pairs
    .filter(([code, other]) => areExcluded(world, 'excludes2', code, other))
    .map(([code, other]) => ({ code, overlaps_with: other, type: 'excludes2' as const }))
  return { valid: errors.length === 0 && violations.length === 0, errors, violations, warnings }
}

function faultOf(code: string, known: readonly string[]): string | undefined {
  if (!WELL_FORMED.test(code)) return `Invalid ICD-10 code: ${code}`
  const isHeading = !known.includes(code) && known.some((other) => isUnder(other, code))
  return isHeading ? `ICD-10 code ${code} is not specific enough` : undefined
}

function areExcluded(world: World, type: 'excludes1' | 'excludes2', code: string, other: string): boolean {
  return world.parts.catalogue
    .diagnosisExcludes()
    .filter((row) => row.type === type)
    .some(
      ({ code: heading, others }) =>
        (isUnder(code, heading) && others.some((each) => isUnder(other, each))) ||
        (isUnder(other, heading) && others.some((each) => isUnder(code, each))),
    )
}

const isUnder = (code: string, heading: string): boolean => code.startsWith(heading)

/** `e119` and `E11.9` are the same code. */
function withPoint(code: string): string {
  const bare = code.trim().toUpperCase().replace('.', '')
  return bare.length > 3 && /^[A-Z]\d/.test(bare) ? `${bare.slice(0, 3)}.${bare.slice(3)}` : bare
}
