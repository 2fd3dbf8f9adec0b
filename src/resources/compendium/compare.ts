import type { relations } from './schema.ts'

export type Relation = (typeof relations)[number]

/** The relation of two tests, its confidence (0 to 1) and the reason. */
export interface Comparison {
  readonly relation: Relation
  readonly confidence: number
  readonly reason_codes: readonly string[]
}

export interface Comparable {
  readonly name: string
  readonly aliases: readonly string[]
  readonly loincCodes: readonly string[]
}

/** The relation of a candidate to the wanted test; undefined if they share nothing. */
export function compare(wanted: Comparable, candidate: Comparable): Comparison | undefined {
  const called = nameReasons(wanted, candidate)
  const shared = candidate.loincCodes.filter((code) => wanted.loincCodes.includes(code)).length
  if (shared === 0) {
    if (called.length === 0) return undefined
    return { relation: 'suggested', confidence: 0.4, reason_codes: called }
  }
  const relation = relationOf(shared, wanted.loincCodes.length, candidate.loincCodes.length)
  const together = wanted.loincCodes.length + candidate.loincCodes.length - shared
  const similarity = relation === 'exact' ? 1 : 0.95 * (shared / together)
  return {
    relation,
    confidence: rounded(called.length > 0 ? Math.min(1, similarity + 0.05) : similarity),
    reason_codes: [reasons[relation], ...called],
  }
}

/** A candidate that measures more is a superset; one that measures only a part is a subset. */
function relationOf(shared: number, wanted: number, candidate: number): Exclude<Relation, 'suggested'> {
  if (shared === wanted && shared === candidate) return 'exact'
  if (shared === wanted) return 'superset'
  return shared === candidate ? 'subset' : 'overlap'
}

const reasons: Readonly<Record<Exclude<Relation, 'suggested'>, string>> = {
  exact: 'EXACT_LOINC_SET',
  subset: 'SUBSET',
  superset: 'SUPERSET',
  overlap: 'OVERLAP',
}

function nameReasons(wanted: Comparable, candidate: Comparable): string[] {
  if (plain(wanted.name) === plain(candidate.name)) return ['NAME_MATCH']
  const names = new Set([wanted.name, ...wanted.aliases].map(plain))
  return [candidate.name, ...candidate.aliases].some((name) => names.has(plain(name)))
    ? ['SYNONYM_MATCH']
    : []
}

/** A text prepared for comparison with many names. */
export interface NameQuery {
  readonly words: readonly string[]
  readonly plain: string
}

/** The maximum number of words of a query that are compared. */
const MAX_QUERY_WORDS = 50

export function toNameQuery(text: string): NameQuery {
  const words = wordsOf(text).slice(0, MAX_QUERY_WORDS)
  return { words, plain: words.join(' ') }
}

/** How well a name matches a query, from 0 to 1. */
export function nameSimilarity({ words: wanted, plain: query }: NameQuery, name: string): number {
  const given = wordsOf(name)
  if (wanted.length === 0 || given.length === 0) return 0
  if (query === given.join(' ')) return 1
  const hits = wanted.filter((word) => given.includes(word)).length
  const starts = wanted.filter((word) => given.some((other) => other.startsWith(word))).length
  const share = Math.max(hits, starts * 0.9) / wanted.length
  const coverage = Math.max(hits, starts) / given.length
  return share * (0.75 + 0.2 * Math.min(1, coverage))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
export const plain = (text: string): string => wordsOf(text).join(' ')
export const rounded = (score: number): number => Math.round(score * 1000) / 1000
