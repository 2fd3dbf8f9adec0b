import type { EventType } from '../../api/resource.ts'
import type { World } from '../../world/world.ts'
import { Quote, Session } from './schema.ts'
import type { QuoteRow } from './table.ts'

export const checkoutEvents: readonly EventType[] = [
  { name: 'checkout.quote.created', data: Quote },
  { name: 'checkout.session.created', data: Session },
  { name: 'checkout.session.updated', data: Session },
]

/** Their bodies name the team alone. Source: docs/contract/webhooks.md#events. */
const ofTeam = { userId: null, clientUserId: null, isOfTeam: true }

export const announceQuote = (world: World, quote: QuoteRow): void =>
  void world.emit('checkout.quote.created', ofTeam, quote)

export const announceSession = (world: World, what: 'created' | 'updated', session: object): void =>
  void world.emit(`checkout.session.${what}`, ofTeam, session)
