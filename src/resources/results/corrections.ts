import type { World } from '../../world/world.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { labOf, type OrderRow, orderMetadata, type ResultPlan } from '../orders/table.ts'
import { familyOf, formulas } from './derived.ts'
import { expectedOf, slugIn } from './expected.ts'
import { chooseFirst } from './goals.ts'
import { type FormerLines, replacedBy, textOf } from './lines.ts'
import { driverOf, models } from './models.ts'
import { editionOf, withDerived } from './plan.ts'
import { isCritical, type Patient, rangeFor, sideOf } from './ranges.ts'
import { patientOf } from './report-header.ts'
import { currentValues, findReport, subjectOf } from './service.ts'
import { targetOf, type Value } from './values.ts'

/** The plan of a correction that changes the given results, or else one or two, and what is computed from them. */
export function correctionOf(world: World, order: OrderRow, change: ResultPlan, hasPdf: boolean): ResultPlan {
  const metadata = world.db.find(orderMetadata, order.id)
  const last = metadata?.results ?? {}
  const before = [...(metadata?.earlier_results ?? []), last]
  const catalogue = world.services.catalogue
  const all = expectedOf(catalogue, order)
  const slugOf = slugIn(all)
  const { values, missing } = currentValues(world, order)
  const isGiven = change.values !== undefined || change.comment !== undefined || hasPdf
  const given = new Map(Object.entries(change.values ?? {}).map(([name, value]) => [slugOf(name), value]))
  const slips: Changes = isGiven
    ? withRedCells(given, values, catalogue.analytesOf(labOf(order)))
    : slipsOf(world, order, change, values)
  const changed = [...given.keys(), ...slips.keys()]
  const open = new Set(changed.flatMap(recomputedFor))
  const kept = (records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
    records.flatMap((record) => Object.entries(record ?? {})).filter(([name]) => !open.has(slugOf(name)))
  const slipped = [...slips].flatMap(([slug, value]) =>
    value === undefined || given.has(slug) ? [] : [[slug, value] as const],
  )
  const comment = change.comment ?? last.comment
  const isLasting = last.interpretation === 'unknown' || last.interpretation === 'normal'
  return {
    ...(last.types && { types: last.types }),
    ...(isLasting && { interpretation: last.interpretation }),
    ...change,
    missing: change.missing ?? missing.filter((name) => !changed.includes(slugOf(name))),
    unchanged: Object.fromEntries([...kept([Object.fromEntries(values)]), ...slipped]),
    values: { ...Object.fromEntries(kept(before.map((plan) => plan.values))), ...change.values },
    notes: { ...Object.assign({}, ...before.map((plan) => plan.notes)), ...change.notes },
    former: formerOf(world, order, last.former),
    ...(comment !== undefined && { comment }),
  }
}

/** The lines of the report that is corrected, by slug. */
function formerOf(world: World, order: OrderRow, earlier: FormerLines | undefined): FormerLines {
  const lines = (findReport(world, order)?.results ?? []).map((line) => {
    const replaced = replacedBy(line, earlier)
    const { slug, timestamp } = line
    return [slug, { text: textOf(line), timestamp, ...(replaced !== undefined && { replaced }) }]
  })
  return Object.fromEntries(lines)
}

/** New values of measured analytes by slug; undefined where the value is to be drawn again. */
type Changes = ReadonlyMap<string, Value | undefined>

/** What a cell counter derives from the same cells. */
const redCells = ['hemoglobin', 'hematocrit', 'rbc']

/** Changes, to which those of the other values of the red cells are added in the same proportion. */
function withRedCells(
  changes: Changes,
  before: ReadonlyMap<string, Value>,
  analytes: ReadonlyMap<string, AnalyteSeed>,
): Changes {
  const first = redCells.find((slug) => changes.has(slug))
  const [old, now] = [Number(before.get(first ?? '')), Number(changes.get(first ?? ''))]
  if (!(old > 0 && now > 0)) return changes
  const others = redCells.filter((slug) => before.has(slug) && !changes.has(slug))
  const moved = others.map((slug): [string, number] => {
    const value = (Number(before.get(slug)) * now) / old
    return [slug, Number(value.toFixed(analytes.get(slug)?.decimals ?? 0))]
  })
  return new Map([...changes, ...moved])
}

/** What cannot stay as it was when the value of an analyte changes. */
function recomputedFor(slug: string): string[] {
  const dependent = [...withDerived([slug])]
  if (!formulas[slug]) return dependent
  return [...dependent, driverOf(slug), ...familyOf(slug).filter((each) => formulas[each] || models[each])]
}

/** The results that a correction changes by itself. */
function slipsOf(
  world: World,
  order: OrderRow,
  { interpretation }: ResultPlan,
  values: ReadonlyMap<string, Value>,
): Changes {
  const catalogue = world.services.catalogue
  const edition = editionOf(order)
  if (!edition) return new Map()
  const reported = expectedOf(catalogue, order).filter(({ result }) => values.has(result.analyte.slug))
  const patient = patientOf(order, edition)
  const subject = { ...subjectOf(world, order), patient, analytes: catalogue.analytesOf(labOf(order)) }
  const measured = reported.filter(({ result }) => !formulas[result.analyte.slug])
  if (interpretation === 'abnormal' || interpretation === 'critical') {
    const goal = chooseFirst([measured, reported], interpretation, subject)
    if (!goal) return new Map()
    return withRedCells(new Map([[goal.slug, targetOf(subject, goal)?.value]]), values, subject.analytes)
  }
  const key = `correction/${world.drawKey('order', order.id)}/${edition.corrections}`
  const about = { ...subject, values, chance: (what: string) => world.random.noise(`${key}/${what}`) }
  const analytes = reported.map(({ result }) => result.analyte)
  const flagged = analytes.filter((analyte) => sideIn(about, analyte) !== undefined)
  return interpretation === 'normal' && flagged.length > 0
    ? new Map(flagged.flatMap(({ slug }) => familyOf(slug)).map((slug) => [slug, undefined]))
    : smallSlips(about, analytes)
}

interface SlipContext {
  readonly values: ReadonlyMap<string, Value>
  readonly patient: Patient
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  readonly chance: (what: string) => number
}

/** On which side of its range an analyte is. */
function sideIn({ values, patient }: SlipContext, analyte: AnalyteSeed) {
  const value = values.get(analyte.slug)
  return typeof value === 'number' ? sideOf(value, rangeFor(analyte, patient)) : undefined
}

/** One measured value or two, by a few percent, so that each stays as far out of range as it was. */
function smallSlips(about: SlipContext, reported: readonly AnalyteSeed[]): Changes {
  const { values, analytes, chance, patient } = about
  const isAsBefore = ([slug, value]: readonly [string, Value | undefined]) => {
    const analyte = analytes.get(slug)
    const before = values.get(slug)
    if (!analyte || typeof value !== 'number' || typeof before !== 'number') return false
    const isSameSide = sideOf(value, rangeFor(analyte, patient)) === sideIn(about, analyte)
    return value > 0 && isSameSide && isCritical(value, analyte) === isCritical(before, analyte)
  }
  const inTurn = reported
    .filter(({ slug }) => !formulas[slug])
    .toSorted((a, b) => chance(a.slug) - chance(b.slug))
  const slips = inTurn.flatMap((analyte): Changes[] => {
    const { slug } = analyte
    const value = values.get(slug)
    if (typeof value !== 'number') return []
    const possible = nearby(analyte, value, chance(`by/${slug}`)).map((other) =>
      withRedCells(new Map([[slug, other]]), values, analytes),
    )
    return possible.filter((changes) => [...changes].every(isAsBefore)).slice(0, 1)
  })
  const [first, second] = slips
  return new Map([...(first ?? []), ...(chance('two') < 0.5 ? [] : (second ?? []))])
}

/** Values a few percent above and below, then those a digit away, which stay between near limits. */
function nearby({ decimals = 0 }: AnalyteSeed, value: number, noise: number): number[] {
  const digit = 10 ** -decimals
  const step = Math.max(digit, value * (0.04 + 0.08 * noise))
  const up = noise < 0.5 ? 1 : -1
  return [up * step, -up * step, up * digit, -up * digit].map((by) => Number((value + by).toFixed(decimals)))
}
