import * as z from 'zod'
import names from '../../../seeds/documents/other-names.json' with { type: 'json' }
import type { Parsed } from '../../api/schema.ts'
import { largest } from '../../kernel/list.ts'
import { bundledTable } from '../../kernel/seed-table.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Catalogue } from '../catalogue/service.ts'
import type { ParsedResult } from './schema.ts'

type Result = Parsed<typeof ParsedResult>
type Matches = Pick<Result, 'loinc_match_status' | 'loinc_matches'>

const MAX_MATCHES = 5
/** The confidence from which a match needs no review. */
const CERTAIN_CONFIDENCE = 0.9
const MIN_CONFIDENCE = 0.4

interface Matched extends Matches {
  /** The best match, when it is certain. */
  readonly analyte: AnalyteSeed | undefined
}

/** The analytes that match a test, best first. */
export function matchLoinc(catalogue: Catalogue, testName: string, unit: string | null): Matched {
  const words = wordsOf(testName)
  const found = [...catalogue.analytes().values()]
    .filter(({ loinc }) => loinc !== null)
    .map((analyte) => ({ analyte, confidence: confidenceOf(analyte, words, unit) }))
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_MATCHES)
  const [best] = found
  if (!best) return { loinc_match_status: 'no_match', loinc_matches: null, analyte: undefined }
  const isCertain = best.confidence >= CERTAIN_CONFIDENCE
  return {
    loinc_match_status: isCertain ? 'auto_match' : 'needs_review',
    loinc_matches: found.map(({ analyte, confidence }) => ({
      loinc_code: analyte.loinc?.code ?? '',
      loinc_name: analyte.loinc?.name ?? '',
      display_name: analyte.name,
      aliases: aliasesOf(analyte).slice(1),
      confidence_score: Math.round(confidence * 100) / 100,
    })),
    analyte: isCertain ? best.analyte : undefined,
  }
}

/** Other names of analytes in reports. */
const otherNames: ReadonlyMap<string, readonly string[]> = bundledTable(
  'documents/other-names.json',
  names,
  () => z.array(z.string()),
)

const aliasesOf = ({ slug, name }: AnalyteSeed): string[] => [name, ...(otherNames.get(slug) ?? [])]

function confidenceOf(analyte: AnalyteSeed, words: ReadonlySet<string>, unit: string | null): number {
  const best = largest(aliasesOf(analyte).map((name) => similarity(words, wordsOf(name))))
  if (best === 0 || unit === null || analyte.unit === null) return best
  const sameUnit = analyte.unit.toLowerCase() === unit.toLowerCase()
  return sameUnit ? Math.min(1, best + 0.03) : best * 0.9
}

/** The share of words two names have in common, from 0 to 1; 0.97 for the same words. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared === 0 ? 0 : (0.97 * shared) / (a.size + b.size - shared)
}

/** Words that are ignored in the comparison. */
const ignoredWords: ReadonlySet<string> = new Set(['serum', 'plasma', 'blood', 's', 'p', 'level', 'direct'])
const wordsOf = (name: string): Set<string> =>
  new Set((name.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !ignoredWords.has(word)))
