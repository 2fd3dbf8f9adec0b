import type { World } from '../../world/world.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { labOf, type OrderRow, orderMetadata, type ResultPlan } from '../orders/table.ts'
import { familyOf, formulas } from './derived.ts'
import { expectedOf, slugIn } from './expected.ts'
import { chooseFirst } from './goals.ts'
import { driverOf, models } from './models.ts'
import { editionOf, withDerived } from './plan.ts'
import { isCritical, rangeFor, sideOf } from './ranges.ts'
import { patientOf } from './report-header.ts'
import { currentValues, subjectOf } from './service.ts'
import { targetOf, type Value } from './values.ts'

/** The plan of a correction that changes the given results, or else one or two, and what is computed from them. */
export function correctionOf(world: World, order: OrderRow, change: ResultPlan, hasPdf: boolean): ResultPlan {
  const metadata = world.db.find(orderMetadata, order.id)
  const last = metadata?.results ?? {}
  const before = [...(metadata?.earlier_results ?? []), last]
  const all = expectedOf(world.services.catalogue, order)
  const slugOf = slugIn(all)
  const { values, missing } = currentValues(world, order)
  const isGiven = change.values !== undefined || change.comment !== undefined || hasPdf
  const slips = isGiven ? new Map<string, Value | undefined>() : slipsOf(world, order, change, values)
  const changed = [...Object.keys(change.values ?? {}).map(slugOf), ...slips.keys()]
  const open = new Set(changed.flatMap(recomputedFor))
  const kept = (records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
    records.flatMap((record) => Object.entries(record ?? {})).filter(([name]) => !open.has(slugOf(name)))
  const slipped = [...slips].flatMap(([slug, value]) => (value === undefined ? [] : [[slug, value] as const]))
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
    ...(comment !== undefined && { comment }),
  }
}

/** What cannot stay as it was when the value of an analyte changes. */
function recomputedFor(slug: string): string[] {
  const dependent = [...withDerived([slug])]
  if (!formulas[slug]) return dependent
  return [...dependent, driverOf(slug), ...familyOf(slug).filter((each) => formulas[each] || models[each])]
}

/** The results that a correction changes by itself, with their new values where these are not to be drawn again. */
function slipsOf(
  world: World,
  order: OrderRow,
  { interpretation }: ResultPlan,
  values: ReadonlyMap<string, Value>,
): Map<string, Value | undefined> {
  const catalogue = world.services.catalogue
  const edition = editionOf(order)
  const all = expectedOf(catalogue, order)
  const reported = all.filter(({ result }) => values.has(result.analyte.slug))
  if (!edition) return new Map()
  const patient = patientOf(order, edition)
  const subject = { ...subjectOf(world, order), patient }
  const measured = reported.filter(({ result }) => !formulas[result.analyte.slug])
  if (interpretation === 'abnormal' || interpretation === 'critical') {
    const goal = chooseFirst([measured, reported], interpretation, subject)
    return new Map(
      goal && [
        [goal.slug, targetOf({ ...subject, analytes: catalogue.analytesOf(labOf(order)) }, goal)?.value],
      ],
    )
  }
  const numbers = reported.flatMap(({ result: { analyte } }) => {
    const value = values.get(analyte.slug)
    if (typeof value !== 'number') return []
    return [{ analyte, value, side: sideOf(value, rangeFor(analyte, patient)) }]
  })
  const flagged = numbers.filter(({ side }) => side !== undefined)
  if (interpretation === 'normal' && flagged.length > 0)
    return new Map(flagged.flatMap(({ analyte }) => familyOf(analyte.slug)).map((slug) => [slug, undefined]))
  const key = `correction/${world.drawKey('order', order.id)}/${edition.corrections}`
  const chance = (what: string) => world.random.noise(`${key}/${what}`)
  const slips = numbers
    .filter(({ analyte }) => !formulas[analyte.slug])
    .toSorted((a, b) => chance(a.analyte.slug) - chance(b.analyte.slug))
    .flatMap(({ analyte, value, side }) =>
      nearby(analyte, value, chance(`by/${analyte.slug}`))
        .filter((other) => other > 0 && sideOf(other, rangeFor(analyte, patient)) === side)
        .filter((other) => isCritical(other, analyte) === isCritical(value, analyte))
        .slice(0, 1)
        .map((other) => [analyte.slug, other] as const),
    )
  return new Map(slips.slice(0, chance('two') < 0.5 ? 1 : 2))
}

/** Values a few percent above and below, then those a digit away, which stay between near limits. */
function nearby({ decimals = 0 }: AnalyteSeed, value: number, noise: number): number[] {
  const digit = 10 ** -decimals
  const step = Math.max(digit, value * (0.04 + 0.08 * noise))
  const up = noise < 0.5 ? 1 : -1
  return [up * step, -up * step, up * digit, -up * digit].map((by) => Number((value + by).toFixed(decimals)))
}
