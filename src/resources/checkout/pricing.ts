import type { Parsed } from '../../api/schema.ts'
import { compact } from '../../kernel/list.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { OrderSet } from '../lab-tests/schema.ts'
import { findLabTest, markersOf } from '../lab-tests/service.ts'
import { priceOf } from '../markers/service.ts'
import type { Method } from '../orders/lifecycle.ts'
import { type Selection, selectTests } from '../orders/select-tests.ts'
import type { OrderSetPricing, OrderSetPricings, PricingRequest } from './schema.ts'

/** What a draw costs, in US cents; the price of a visit is the one that its slots have. No source has the other. */
const drawFees = {
  walk_in_test: { id: 'draw_charge', amount: 1000 },
  at_home_phlebotomy: { id: 'mobile_phlebotomy_charge', amount: 3500 },
} as const

export const drawFeeOf = (method: Method) =>
  method === 'walk_in_test' || method === 'at_home_phlebotomy' ? drawFees[method] : undefined

/** The tests of an order set, if they can be ordered by this method. Throws as an order does. */
export function selectFor(world: World, set: Parsed<typeof OrderSet>, modality: Method): Selection {
  const selection = selectTests(world, {
    order_set: set,
    lab_account_id: set.lab_account_id,
    // As in an order, kits are chosen by their lab test alone.
    collection_method: modality === 'testkit' ? null : modality,
  })
  if (selection.method === modality) return selection
  throw badRequest(`The lab tests are collected by ${selection.method}, not by ${modality}`)
}

/** US cents: what the lab tests cost, and each added marker that has a price. */
export function labFeeOf(world: World, set: Parsed<typeof OrderSet>, { markers }: Selection): number {
  const labTests = compact([...new Set(set.lab_test_ids)].map((id) => findLabTest(world, id)))
  const included = new Set(labTests.flatMap((row) => markersOf(world, row).map(({ id }) => id)))
  const added = markers.filter(({ id }) => !included.has(id)).map(priceOf)
  return (
    labTests.reduce((sum, { price }) => sum + Math.round(price * 100), 0) +
    added.reduce((sum, price) => sum + ('base_amount_minor' in price ? price.base_amount_minor : 0), 0)
  )
}

/** What orders of these sets would cost. */
export const estimate = (
  world: World,
  { order_sets, modality }: Parsed<typeof PricingRequest>,
): Parsed<typeof OrderSetPricings> => ({
  currency: 'USD',
  data: order_sets.map((set) => priceOrderSet(world, set, modality)),
})

function priceOrderSet(
  world: World,
  set: Parsed<typeof OrderSet>,
  modality: Method,
): Parsed<typeof OrderSetPricing> {
  const selection = selectFor(world, set, modality)
  const labFee = labFeeOf(world, set, selection)
  const draw = drawFeeOf(modality)
  const breakdown = selection.markers.map((marker) => [String(marker.id), priceOf(marker)] as const)
  return {
    aggregate_pricing: priced(labFee + (draw?.amount ?? 0)),
    components: compact([
      { id: 'lab_charge', pricing: priced(labFee), marker_breakdown: Object.fromEntries(breakdown) },
      draw && { id: draw.id, pricing: priced(draw.amount) },
    ]),
  }
}

const priced = (base_amount_minor: number) => ({ base_amount_minor, modifiers: null })
