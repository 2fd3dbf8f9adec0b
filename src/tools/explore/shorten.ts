import type { Coverage } from './coverage.ts'
import type { Draft, OrderDraft } from './draft.ts'
import { movesIn } from './order-path.ts'

/** The most moves that are left out at once. */
const MAX_SPAN = 4

/**
 * The same history without some neighbouring moves of one order. Shrinking the choices of a draft changes all moves
 * that follow, so it cannot do this.
 */
export function* withoutMoves(draft: Draft, coverage: Pick<Coverage, 'edges'>): Generator<Draft> {
  const { first, others } = draft
  for (const shorter of withoutMovesOf(first, coverage)) yield { ...draft, first: shorter }
  for (const [at, other] of others.entries())
    for (const shorter of withoutMovesOf(other, coverage))
      yield { ...draft, others: others.with(at, shorter) }
}

/** Long spans first. */
function* withoutMovesOf<Order extends OrderDraft>(
  draft: Order,
  coverage: Pick<Coverage, 'edges'>,
): Generator<Order> {
  const { omitted: before = [] } = draft
  const all = movesIn({ ...draft, omitted: [] }, coverage)
  const left = Array.from({ length: all }, (_, position) => position).filter(
    (position) => !before.includes(position),
  )
  for (let span = Math.min(MAX_SPAN, left.length); span > 0; span--)
    for (let from = 0; from + span <= left.length; from++)
      yield { ...draft, omitted: [...before, ...left.slice(from, from + span)] }
}
