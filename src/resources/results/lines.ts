import type { Parsed } from '../../api/schema.ts'
import { byName } from '../../kernel/fields.ts'
import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed, CancerSignalOriginSeed } from '../catalogue/schema.ts'
import type { Marker } from '../catalogue/service.ts'
import type { ResultPlan } from '../orders/table.ts'
import type { Expected } from './expected.ts'
import { failureOf, type MissingSpecimen } from './failures.ts'
import { isNeutral } from './goals.ts'
import {
  COMPARATOR,
  isCritical,
  judge,
  type Patient,
  type Range,
  rangeFor,
  type Side,
  spanOf,
} from './ranges.ts'
import type { BiomarkerResult, MissingBiomarkerResult, resultTypes } from './schema.ts'
import type { Goal, Value } from './values.ts'

export type ResultLine = Parsed<typeof BiomarkerResult>
/** The lines of the former edition of a corrected report, by slug. */
export type FormerLines = NonNullable<ResultPlan['former']>
type MissingLine = Parsed<typeof MissingBiomarkerResult>
type Type = (typeof resultTypes)[number]

/** What all lines of a report are made from. */
export interface ReportSource {
  readonly random: Random
  readonly key: string
  readonly drawKey: string
  readonly patient: Patient
  readonly sampleId: string | null
  readonly origins: readonly CancerSignalOriginSeed[]
  /** Whether a result that several markers share is printed with each of them. */
  readonly repeats?: boolean | undefined
}

/** The context of a result line. */
export interface LineSource extends ReportSource {
  readonly goal: Goal | undefined
  readonly isUnknown: boolean
  readonly at: string
  /** How a number is printed. */
  readonly type: Type
  /** Whether a value beyond what the method measures is printed as that. */
  readonly isMeasured: boolean
  /** Another value of the sample. */
  readonly of: (slug: string) => Value | undefined
  readonly value: Value | undefined
  /** What is printed in place of the number. */
  readonly printed?: string | undefined
  /** The laboratory's comment. */
  readonly note: string | undefined
  readonly former?: FormerLines | undefined
}

/** The lines of an expected result: one, except for a cancer signal, and for a result that is repeated. */
export function linesOf(expected: Expected, source: LineSource): ResultLine[] {
  const once = linesWithoutNote(expected, source)
  const { note } = source
  const lines = source.repeats
    ? expected.markers.flatMap((each) =>
        once.map((line) => ({ ...line, source_markers: line.source_markers && [presentSource(each)] })),
      )
    : once
  return lines.map((line) => afterCorrection(note === undefined ? line : { ...line, notes: note }, source))
}

/** A result with its unit, as a correction names it. */
export const textOf = ({ result, unit }: ResultLine): string => (unit === null ? result : `${result} ${unit}`)

/** What a line replaces in a former edition of its report. */
export function replacedBy(line: ResultLine, former: FormerLines = {}): string | undefined {
  const before = former[line.slug]
  return before && before.text !== textOf(line) ? before.text : before?.replaced
}

/** A corrected line says what it replaces; all others have the timestamps of the former edition. */
function afterCorrection(line: ResultLine, { former }: LineSource): ResultLine {
  const before = former?.[line.slug]
  if (!before) return line
  const timestamp = before.text === textOf(line) ? before.timestamp : line.timestamp
  const replaced = replacedBy(line, former)
  if (replaced === undefined) return { ...line, timestamp }
  const note = `Previously reported as ${replaced}`
  const hasOwn = line.notes !== null && line.notes !== line.result
  return { ...line, timestamp, notes: hasOwn ? `${note}. ${line.notes}` : note }
}

function linesWithoutNote(expected: Expected, source: LineSource): ResultLine[] {
  const { analyte } = expected.result
  if (analyte.slug === 'cancer-signal') return cancerLines(expected, source)
  if (analyte.kind === 'qualitative') return [wordLine(expected, source)]
  if (source.printed !== undefined) {
    const span = spanOf(source.printed)
    return [
      span
        ? spanLine(expected, source, source.printed, judge(span, analyte, rangeFor(analyte, source.patient)))
        : commentLine(expected, source, { comment: source.printed, interpretation: 'unknown' }),
    ]
  }
  if (typeof source.value !== 'number') {
    const { value: reason = 'Not calculated' } = source
    const line = commentLine(expected, source, { comment: reason, interpretation: 'unknown' })
    const isCalculated = reason.startsWith('Not calculated')
    return [isCalculated && analyte.not_calculated ? { ...line, result: analyte.not_calculated } : line]
  }
  if (source.value === 0 && analyte.normal !== undefined)
    return [commentLine(expected, source, { comment: analyte.normal, interpretation: 'normal' })]
  return [numberLine(expected, source, source.value)]
}

const plain = (expected: Expected, { at, sampleId }: LineSource): ResultLine => {
  const { result, markers } = expected
  const { loinc } = result.analyte
  return {
    name: result.name,
    slug: result.slug,
    value: -1,
    result: '',
    type: 'comment',
    unit: null,
    timestamp: at,
    notes: null,
    reference_range: null,
    min_range_value: null,
    max_range_value: null,
    is_above_max_range: null,
    is_below_min_range: null,
    interpretation: 'normal',
    source_interpretation: '',
    loinc: loinc?.code ?? null,
    loinc_slug: loinc?.slug ?? null,
    provider_id: result.provider_id,
    source_markers: expected.isUnsolicited ? null : markers.map(presentSource),
    performing_laboratory: markers[0].lab.name,
    source_sample_id: sampleId,
  }
}

const presentSource = ({ id, name, slug, provider_id }: Marker) => ({
  marker_id: id,
  name,
  slug,
  provider_id,
})

interface Comment {
  readonly comment: string
  readonly interpretation: string
  readonly flag?: string
}

/** A result in words, or as a code: `NOT_DETECTED`. */
function commentLine(
  expected: Expected,
  source: LineSource,
  { comment, interpretation, flag = '' }: Comment,
): ResultLine {
  const isCoded = source.type === 'coded_value'
  return {
    ...plain(expected, source),
    type: isCoded ? 'coded_value' : 'comment',
    result: isCoded ? comment.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_') : comment,
    notes: isCoded ? null : comment,
    interpretation: source.isUnknown ? 'unknown' : interpretation,
    source_interpretation: source.isUnknown ? '' : flag,
  }
}

/** The given text of a result in words. */
const givenTextOf = ({ value }: LineSource) => (typeof value === 'string' ? value : undefined)

/** The share of people up to each group; American Red Cross. */
const bloodGroups = [
  ['O', 0.45],
  ['A', 0.85],
  ['B', 0.96],
  ['AB', 1],
] as const

function wordLine(expected: Expected, source: LineSource): ResultLine {
  const { slug, normal = 'Negative', abnormal = 'Positive' } = expected.result.analyte
  const text = givenTextOf(source)
  if (isNeutral(slug)) {
    const chance = source.random.noise(`person/${source.drawKey}/${slug}`)
    const group = bloodGroups.find(([, until]) => slug === 'abo-grouping' && chance < until)?.[0]
    return commentLine(expected, source, { comment: text ?? group ?? normal, interpretation: 'normal' })
  }
  const goal = source.goal?.slug === slug ? source.goal : undefined
  const comment = goal ? abnormal : (text ?? normal)
  const isNormal = !goal && comment.trim().toLowerCase() === normal.toLowerCase()
  const interpretation = isNormal ? 'normal' : (goal?.level ?? 'abnormal')
  return commentLine(expected, source, { comment, interpretation, flag: isNormal ? '' : 'A' })
}

function numberLine(expected: Expected, source: LineSource, value: number): ResultLine {
  const { analyte } = expected.result
  const { decimals = 0 } = analyte
  const range = rangeFor(analyte, source.patient)
  const judged = judge(value, analyte, range)
  if (source.type === 'comment' || source.type === 'coded_value')
    return commentLine(expected, source, {
      comment: inWords(range, judged),
      interpretation: judged.interpretation,
      flag: flagOf(judged),
    })
  const beyond = source.isMeasured ? beyondMeasured(analyte, value, source) : undefined
  if (source.type === 'range' || beyond !== undefined)
    return spanLine(expected, source, beyond ?? asRange(analyte, value, range, judged.side), judged)
  return {
    ...ofQuantity(expected, source, judged),
    value,
    result: value.toFixed(Math.max(decimals, decimalsOf(value))),
    type: 'numeric',
    notes: analyte.note ?? null,
    is_above_max_range: judged.side === 'above',
    is_below_min_range: judged.side === 'below',
  }
}

type Judgement = ReturnType<typeof judge>

/** The letters of a laboratory: `H` and `L`, twice if critical. */
function flagOf({ side, interpretation }: Judgement): string {
  if (side === undefined) return ''
  const letter = side === 'above' ? 'H' : 'L'
  return interpretation === 'critical' ? letter.repeat(2) : letter
}

/** A result with the unit and the range of its analyte. */
function ofQuantity(expected: Expected, source: LineSource, judged: Judgement): ResultLine {
  const { analyte } = expected.result
  const range = rangeFor(analyte, source.patient)
  return {
    ...plain(expected, source),
    unit: analyte.unit,
    reference_range: range?.text ?? null,
    min_range_value: range?.low ?? null,
    max_range_value: range?.high ?? null,
    interpretation: source.isUnknown ? 'unknown' : judged.interpretation,
    source_interpretation: source.isUnknown ? '' : flagOf(judged),
  }
}

/** A bound or a range in place of a number. Only a bound says on which side of its range it lies, as recorded. */
function spanLine(expected: Expected, source: LineSource, text: string, judged: Judgement): ResultLine {
  const side = COMPARATOR.test(text) ? judged.side : undefined
  return {
    ...ofQuantity(expected, source, judged),
    result: text,
    type: 'range',
    notes: text,
    is_above_max_range: side ? side === 'above' : null,
    is_below_min_range: side ? side === 'below' : null,
  }
}

/** A value beyond what the method measures as it is printed: `<0.005`, `>2000`. A ratio is limited by its numerator. */
function beyondMeasured(
  analyte: AnalyteSeed,
  value: number,
  { of }: Pick<LineSource, 'of'>,
): string | undefined {
  const { slug, decimals = 0, measured } = analyte
  if (slug === 'albumin-creatinine-ratio') {
    const [albumin, creatinine] = [Number(of('urine-albumin')), Number(of('urine-creatinine'))]
    return albumin < LOWEST_URINE_ALBUMIN && creatinine > 0
      ? `<${Math.ceil((LOWEST_URINE_ALBUMIN / creatinine) * 100)}`
      : undefined
  }
  if (measured?.low != null && value < measured.low) return `<${measured.low.toFixed(decimals)}`
  if (measured?.high != null && value > measured.high) return `>${measured.high.toFixed(decimals)}`
  return undefined
}

/** ug/mL; as in the seed of the analyte. */
const LOWEST_URINE_ALBUMIN = 3

/** The digits after the point; a given value can have more than the laboratory prints. */
const decimalsOf = (value: number): number => (String(value).split('.')[1] ?? '').length

function inWords(range: Range | undefined, { side, interpretation }: Judgement): string {
  if (!range) return 'No reference range established'
  if (!side) return 'Within reference range'
  const isHigh = side === 'above'
  if (interpretation === 'critical') return isHigh ? 'Critically high' : 'Critically low'
  return isHigh ? 'Above reference range' : 'Below reference range'
}

/** A number as an interval around it, or as a value beyond a bound. */
function asRange(
  analyte: AnalyteSeed,
  value: number,
  range: Range | undefined,
  side: Side | undefined,
): string {
  const { decimals = 0, critical } = analyte
  const step = 10 ** -decimals
  const isAlarm = isCritical(value, analyte)
  const sign = range?.isOpen && !isAlarm ? '=' : ''
  if (side === 'above') return `>${sign}${((isAlarm ? critical?.high : range?.high) ?? 0).toFixed(decimals)}`
  if (side === 'below') return `<${sign}${((isAlarm ? critical?.low : range?.low) ?? 0).toFixed(decimals)}`
  const margin = range?.isOpen ? step : 0
  const low = Math.max(value - 2 * step, (range?.low ?? 0) + (range?.low == null ? 0 : margin), 0)
  const high = Math.min(value + 2 * step, (range?.high ?? Number.POSITIVE_INFINITY) - margin)
  return `${low.toFixed(decimals)}-${high.toFixed(decimals)}`
}

/** The sex of organs that only one sex has. */
const ofOneSex = byName<Patient['sex']>({
  CERVIX: 'female',
  OVARY: 'female',
  UTERUS: 'female',
  PROSTATE: 'male',
})
const canBeOrigin = (origin: string, { sex }: Patient) =>
  sex === 'unknown' || (ofOneSex[origin] ?? sex) === sex

/** Source: docs/contract/results.md. */
const cancerLineNames = {
  'cancer-signal': 'Galleri Multi-Cancer Early Detection',
  'cancer-origin': 'Galleri Cancer Signal Origin',
  'cancer-subcategory': 'Galleri Cancer Signal Subcategory',
  'comment-1': 'Galleri Additional Information',
} as const
type CancerLine = keyof typeof cancerLineNames

/** The lines of a multi-cancer screening: one without a signal, otherwise also the origins of the signal. Source: docs/contract/results.md. */
function cancerLines(expected: Expected, source: LineSource): ResultLine[] {
  const isGoal = source.goal?.slug === 'cancer-signal'
  const text = givenTextOf(source)
  const isDetected = text === undefined ? isGoal : text === 'DETECTED'
  const known = isDetected ? 'critical' : 'normal'
  const interpretation = source.isUnknown ? 'unknown' : known
  const code = expected.markers[0].provider_id
  const line = (at: number, what: CancerLine, result: string, type: Type): ResultLine => ({
    ...plain(expected, source),
    name: cancerLineNames[what],
    slug: `galleri-${what}`,
    provider_id: at === 0 ? code : `${code}_${at}`,
    result,
    type,
    notes: type === 'comment' ? result : null,
    interpretation,
    source_interpretation: isDetected && !source.isUnknown ? 'A' : '',
  })
  if (!isDetected) return [line(0, 'cancer-signal', 'NOT_DETECTED', 'coded_value')]
  const possible = source.origins.filter(({ origin }) => canBeOrigin(origin, source.patient))
  const { origin = '', subcategory = '' } = source.random.pick(`${source.key}/origin`, possible) ?? {}
  return [
    line(0, 'cancer-signal', 'DETECTED', 'coded_value'),
    line(1, 'cancer-origin', origin, 'coded_value'),
    line(2, 'cancer-subcategory', subcategory, 'coded_value'),
    line(
      3,
      'comment-1',
      'A signal seen in many cancers was found; confirm by diagnostic evaluation.',
      'comment',
    ),
  ]
}

export function missingLine(expected: Expected, lost: MissingSpecimen): MissingLine {
  const { result, markers } = expected
  const { type, note } = failureOf(result.analyte, lost)
  return {
    name: result.name,
    slug: result.slug,
    inferred_failure_type: type,
    note,
    loinc: result.analyte.loinc?.code ?? null,
    loinc_slug: result.analyte.loinc?.slug ?? null,
    provider_id: result.provider_id,
    source_markers: markers.map(presentSource),
  }
}
