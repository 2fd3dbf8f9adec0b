import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { orNotFound } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { billingIn, defaultLabAccount } from '../lab-accounts/service.ts'
import { announceQuote } from './events.ts'
import { drawFeeOf, labFeeOf, selectFor } from './pricing.ts'
import { collectionNetworks, type NewQuote, type Refinement } from './schema.ts'
import { type QuoteRow, quotes } from './table.ts'

/** How long a quote can be used. No source has it. */
const LIFETIME_MS = 7 * DAY_MS

export const createQuote = (world: World, body: Parsed<typeof NewQuote>): QuoteRow =>
  makeQuote(world, body, null)

/** Makes another quote from the inputs of one, with today's prices. */
export function refineQuote(world: World, id: string, { priority }: Parsed<typeof Refinement>): QuoteRow {
  const quote = getQuote(world, id)
  return makeQuote(world, { ...quote, priority: priority ?? quote.priority }, quote.id)
}

/** The quote, or the 404. */
export function getQuote(world: World, id: string): QuoteRow {
  return orNotFound(world.db.find(quotes, id), 'Quote not found')
}

type QuoteInput = Pick<QuoteRow, 'modality' | 'priority' | 'us_state'> & Parsed<typeof NewQuote>

function makeQuote(world: World, input: QuoteInput, parentId: string | null): QuoteRow {
  const { order_set: set, modality, priority, us_state } = input
  const selection = selectFor(world, set, modality)
  const draw = drawFeeOf(modality)
  const now = world.clock.now()
  const quote = world.db.put(quotes, {
    id: world.newId('checkout_quote'),
    parent_id: parentId,
    created_at: toWire(now),
    expires_at: toWire(now + LIFETIME_MS),
    modality,
    priority,
    us_state,
    order_set: set,
    walk_in_collection_networks: collectionNetworks.filter(
      (slug) =>
        modality === 'walk_in_test' && slug === selection.lab.slug && servesState(world, slug, us_state),
    ),
    line_items: compact([
      lineItem('lab_test_fee', labFeeOf(world, set, selection)),
      draw && lineItem('draw_fee', draw.amount),
    ]),
  })
  announceQuote(world, quote)
  return quote
}

/** Whether the account that orders use has this state, for any type of billing. */
function servesState(world: World, labSlug: string, state: string): boolean {
  const account = defaultLabAccount(world, labSlug)
  return !account || billingIn(account, state).length > 0
}

const lineItem = (code: QuoteRow['line_items'][number]['code'], amount_minor: number) => ({
  code,
  amount_minor,
  currency: 'USD' as const,
})
