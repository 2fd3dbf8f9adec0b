import { html } from 'hono/html'
import { linkError, newLinkToken } from '../../api/credentials.ts'
import { page } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { findDemographics } from '../demographics/service.ts'
import { ordersOfUser } from '../orders/directory.ts'
import { type OrderRow, orders } from '../orders/table.ts'
import { getUser } from '../users/service.ts'
import { users } from '../users/table.ts'
import type { PortalAccess, PortalInput } from './schema.ts'
import { portalPasses } from './table.ts'

/** The validity of a portal URL, by purpose. Source: docs/contract/users.md. */
const lifetimes = { launch: 10 * MINUTE_MS, communications: 90 * DAY_MS } as const

/** Creates the URL of a user's portal page. Source: docs/contract/users.md. */
export function createPortalUrl(
  world: World,
  userId: string,
  { context, order_id }: Parsed<typeof PortalInput>,
): Parsed<typeof PortalAccess> {
  getUser(world, userId)
  if (order_id && world.db.find(orders, order_id)?.user_id !== userId) {
    throw new Problem('not_found', "This order doesn't exist")
  }
  if (!findDemographics(world, userId)) {
    throw new Problem('invalid', 'The user has no demographics data, which the portal needs.')
  }
  const { token } = world.db.put(portalPasses, {
    token: newLinkToken(world.identity.teamId, world.ids.fork('portal'), world.next('portal')),
    user_id: userId,
    order_id,
    expires_at: world.clock.now() + lifetimes[context],
  })
  return { url: `${world.baseUrl}/portal?token=${token}`, expires_in: lifetimes[context] / SECOND_MS }
}

/** The portal page of a user: all orders, or the one the URL was created for. */
export function portalPage(world: World, token: string) {
  const pass = world.db.find(portalPasses, token)
  if (!pass || pass.expires_at <= world.clock.now() || !world.db.has(users, pass.user_id)) {
    throw new Problem('unauthorized', linkError('INVALID_REQUEST', 'This address is invalid or has expired.'))
  }
  const name = findDemographics(world, pass.user_id)
  const shown = [...ordersOfUser(world, pass.user_id)].filter(
    ({ id }) => pass.order_id === null || id === pass.order_id,
  )
  return page(
    `Orders of ${name?.first_name} ${name?.last_name}`,
    shown.length === 0 ? html`<p>There is no order yet.</p>` : html`<ul>${shown.map(line)}</ul>`,
  )
}

const line = ({ id, lab_test, last_event }: OrderRow) =>
  html`<li>${lab_test.name}: <code>${last_event.status}</code> (order <code>${id}</code>)</li>`
