import type { Parsed } from '../../api/schema.ts'
import { byName } from '../../kernel/fields.ts'
import { compact } from '../../kernel/list.ts'
import type { World } from '../../world/world.ts'
import { type DiagnosisSeed, ICD_CODE } from '../catalogue/schema.ts'
import type { Diagnosis, IcdCheck } from './schema.ts'

/** The maximum number of results of a search. */
const MAX_FOUND = 50

/** Diagnoses by the beginning of their code, or by words of their description, in the order of the codes. */
export function searchDiagnoses(world: World, query: string): Parsed<typeof Diagnosis>[] {
  const wanted = query.trim()
  if (wanted === '') return []
  const code = withPoint(wanted)
  const words = [...new Set(wanted.toUpperCase().split(/\s+/))]
  return [...world.services.catalogue.diagnoses().values()]
    .filter((diagnosis) => diagnosis.code.startsWith(code) || isDescribedBy(diagnosis, words))
    .slice(0, MAX_FOUND)
    .map(({ code: diagnosis_code, description, is_secondary }) => ({
      diagnosis_code,
      description,
      is_secondary,
    }))
}

/** How the descriptions abbreviate words; empty for what they leave out. */
const abbreviations = byName<string>({
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
})

const isDescribedBy = ({ description }: DiagnosisSeed, words: readonly string[]): boolean =>
  words.every((word) => {
    const short = abbreviations[word]
    return description.includes(word) || (short !== undefined && description.includes(short))
  })

/** Checks that codes exist and may be combined. A well-formed code that is not in the seeds is accepted. Source: docs/contract/insurance.md. */
export function checkIcdCodes(world: World, codes: readonly string[]): Parsed<typeof IcdCheck> {
  const given = [...new Set(codes.map(withPoint))]
  const known = world.services.catalogue.diagnoses()
  const errors = compact(given.map((code) => errorOf(code, known)))
  const violations = excludedPairs(world, 'excludes1', given).map(([code, other]) => ({
    code,
    conflicts_with: other,
    type: 'excludes1' as const,
  }))
  const warnings = excludedPairs(world, 'excludes2', given).map(([code, other]) => ({
    code,
    overlaps_with: other,
    type: 'excludes2' as const,
  }))
  return { valid: errors.length === 0 && violations.length === 0, errors, violations, warnings }
}

function errorOf(code: string, known: ReadonlyMap<string, unknown>): string | undefined {
  if (!ICD_CODE.test(code)) return `Invalid ICD-10 code: ${code}`
  if (known.has(code)) return undefined
  for (const other of known.keys()) {
    if (isUnder(other, code)) return `ICD-10 code ${code} is not specific enough`
  }
  return undefined
}

/** Pairs of codes that exclude each other, in the given order. Only codes that a rule names are compared. */
function excludedPairs(world: World, type: 'excludes1' | 'excludes2', codes: readonly string[]) {
  const rules = [...world.services.catalogue.diagnosisExcludes().values()].filter(
    (rule) => rule.type === type,
  )
  const found = new Map<string, readonly [number, number]>()
  for (const { code: heading, others } of rules) {
    const under = positions(codes, (code) => isUnder(code, heading))
    if (under.length === 0) continue
    const excluded = positions(codes, (code) => others.some((each) => isUnder(code, each)))
    for (const one of under) {
      for (const other of excluded) {
        const [first, second] = one < other ? [one, other] : [other, one]
        if (first !== second) found.set(`${first}/${second}`, [first, second])
      }
    }
  }
  return [...found.values()]
    .sort(([a, x], [b, y]) => a - b || x - y)
    .map(([first, second]) => [codes[first] ?? '', codes[second] ?? ''] as const)
}

const positions = (codes: readonly string[], isMatch: (code: string) => boolean): number[] =>
  compact(codes.map((code, at) => isMatch(code) && at))

const isUnder = (code: string, heading: string): boolean => code.startsWith(heading)

/** `e119` and `E11.9` are the same code. */
function withPoint(code: string): string {
  const bare = code.trim().toUpperCase().replace('.', '')
  return bare.length > 3 && /^[A-Z]\d/.test(bare) ? `${bare.slice(0, 3)}.${bare.slice(3)}` : bare
}
