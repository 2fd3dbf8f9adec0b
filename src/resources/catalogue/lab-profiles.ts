import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { BadSeed } from '../../kernel/seed-table.ts'
import { type AnalyteSeed, labSlugs, type ResultSeed, slugOf, withText } from './schema.ts'

/** How a laboratory counts its codes: `first` + `step` times the number, with a prefix, padded to `digits`. */
const CodeRule = unnamed(() =>
  z.strictObject({
    prefix: z.string().default(''),
    first: z.int().min(0).default(0),
    step: z.int().min(1).default(1),
    digits: z.int().min(1).optional(),
    /** A check digit follows: the remainder of the number by this, plus one. */
    check: z.int().min(2).max(9).optional(),
  }),
)

const Bounds = unnamed(() => z.strictObject({ low: z.number(), high: z.number() }))

/** How a laboratory reports one analyte; what is left out is as in `analytes.json`. */
const OwnAnalyte = unnamed(() =>
  z.strictObject({
    name: z.string().optional(),
    unit: z.string().optional(),
    decimals: z.int().min(0).optional(),
    range: Bounds().optional(),
    male: Bounds().optional(),
    female: Bounds().optional(),
    /** Where these ranges are published; without a source they are assumed. */
    source: z.string().min(1).optional(),
    /** The remark under a number. */
    note: z.string().optional(),
  }),
)

export const menus = ['central', 'card', 'hormones', 'urine'] as const

/** How a laboratory differs from others: its codes, and how its reports look. */
export const LabProfileSeed = unnamed(() =>
  z.strictObject({
    lab: z.enum(labSlugs),
    known: z.enum(['published', 'observed', 'assumed']),
    source: z.string().min(1),
    /** Which analytes it sells alone, and their order codes. */
    orders: z.strictObject({ menu: z.enum(menus), code: CodeRule() }).optional(),
    /** What it reports, in the order of its codes. */
    reports: z
      .strictObject({ first_id: z.int(), code: CodeRule(), analytes: z.array(z.string()) })
      .optional(),
    /** Whether names are printed in capitals. */
    capitals: z.boolean().default(false),
    /** Its units, by those of `analytes.json`. */
    units: z.record(z.string(), z.string()).default({}),
    /** How a range with one bound is written, such as `> OR = {}`; by default as in `analytes.json`. */
    bounds: z.strictObject({ low: z.string().regex(/\{\}/), high: z.string().regex(/\{\}/) }).optional(),
    /** In place of a value that cannot be calculated; by default the reason. */
    not_calculated: z.string().optional(),
    /** Lines that come with another one although nobody ordered them, by analyte. */
    unsolicited: z.record(z.string(), z.array(z.string())).default({}),
    /** Whether a result that two ordered panels share is printed with each of them. */
    repeats: z.boolean().default(false),
    analytes: z.record(z.string(), OwnAnalyte()).default({}),
  }),
)
export type LabProfile = Parsed<typeof LabProfileSeed>

/** The code of the nth thing that a laboratory counts. */
export function codeAt(
  { prefix, first, step, digits = 1, check }: Parsed<typeof CodeRule>,
  nth: number,
): string {
  const number = `${prefix}${String(first + step * nth).padStart(digits, '0')}`
  return check === undefined ? number : `${number}-${(nth % check) + 1}`
}

/** The results of a laboratory that its profile lists, as rows of `results.json`. */
export function resultsOfProfile(
  { lab, reports }: LabProfile,
  analytes: ReadonlyMap<string, AnalyteSeed>,
): ResultSeed[] {
  if (!reports) return []
  const { first_id, code } = reports
  return reports.analytes.flatMap((analyte, nth) =>
    analytes.has(analyte)
      ? [{ id: first_id + nth, lab, analyte, provider_id: codeAt(code, nth), required: true }]
      : [],
  )
}

/** An analyte as a laboratory reports it. */
export interface ReportedAnalyte extends AnalyteSeed {
  /** The slug of the laboratory's own name. */
  readonly reported_slug?: string | undefined
  /** The remark under a number. */
  readonly note?: string | undefined
  /** In place of a value that cannot be calculated. */
  readonly not_calculated?: string | undefined
}

export function asReportedBy(profile: LabProfile, analyte: AnalyteSeed): ReportedAnalyte {
  const own = profile.analytes[analyte.slug] ?? {}
  const { decimals = analyte.decimals ?? 0 } = own
  const name = own.name ?? analyte.name
  const unit = own.unit ?? (analyte.unit === null ? null : (profile.units[analyte.unit] ?? analyte.unit))
  const ranges = own.range || own.male || own.female ? own : analyte
  const range = withText(ranges.range, decimals)
  const male = withText(ranges.male, decimals)
  const female = withText(ranges.female, decimals)
  const restyle = (each: AnalyteSeed['range']) => each && restyled(each, decimals, profile.bounds)
  const { range: _, male: __, female: ___, ...rest } = analyte
  return {
    ...rest,
    name: profile.capitals ? name.toUpperCase() : name,
    unit,
    ...(analyte.kind === 'numeric' && { decimals }),
    ...(range && { range: restyle(range) }),
    ...(male && { male: restyle(male) }),
    ...(female && { female: restyle(female) }),
    ...(own.name && { reported_slug: slugOf(own.name) }),
    note: own.note,
    not_calculated: profile.not_calculated,
  }
}

type SeedRange = NonNullable<AnalyteSeed['range']>

/**
 * A range with one bound as a laboratory writes it; a whole number from 0 has one, too. An open bound is one step further out.
 */
function restyled(range: SeedRange, decimals: number, bounds: LabProfile['bounds']): SeedRange {
  const { low, high, text } = range
  const isClosed = low !== null && (low !== 0 || decimals > 0)
  if (!bounds || (isClosed && high !== null)) return range
  const side = high === null ? 'low' : 'high'
  const form = bounds[side]
  const isOpen = (written: string) => /^[<>](?!\s*(=|OR))/i.test(written)
  const step = 10 ** -decimals * (side === 'low' ? 1 : -1)
  let bound = high ?? low ?? 0
  if (isOpen(text)) bound += step
  if (isOpen(form)) bound -= step
  const written = bound.toFixed(decimals)
  return { low: null, high: null, [side]: Number(written), text: form.replace('{}', written) }
}

/** Throws for a profile with an analyte or a unit that nobody knows. */
export function assertKnownIn(
  { lab, units, analytes: own, unsolicited }: LabProfile,
  analytes: ReadonlySet<string>,
  printed: ReadonlySet<string>,
): void {
  const slugs = [...Object.keys(own), ...Object.entries(unsolicited).flat(2)]
  const stray = slugs.find((slug) => !analytes.has(slug))
  if (stray !== undefined) throw new BadSeed('lab-profiles.json', `${lab}: no analyte is called ${stray}`)
  const all = [...Object.values(units), ...Object.values(own).flatMap(({ unit = [] }) => unit)]
  const unit = all.find((each) => !printed.has(each))
  if (unit !== undefined)
    throw new BadSeed('lab-profiles.json', `${lab}: no unit is called ${unit}; units.json lists them`)
}
