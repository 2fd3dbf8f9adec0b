import type { Parsed } from '../../contract/schema.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62 } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { findDemographics } from '../demographics/service.ts'
import { orders } from '../orders/table.ts'
import type { PortalAccess, PortalWish, SignInToken } from './schema.ts'
import { getUser } from './service.ts'

/** How long a portal address opens, by what it is for. Source: contract/wearables.md §1.1. */
const portalLifetimes = { launch: 10 * MINUTE_MS, communications: 90 * DAY_MS } as const

/** What a mobile SDK signs a user in with: base64 of JSON. Source: contract/errors-and-auth.md §2. */
export function createSignInToken(world: World, userId: string): Parsed<typeof SignInToken> {
  getUser(world, userId)
  const ordinal = world.next('sign_in_token')
  const token = {
    public_key: world.random.letters('public_key', BASE62, 32),
    user_token: world.random.letters(`sign_in_token/${ordinal}`, BASE62, 64),
  }
  return { user_id: userId, sign_in_token: Buffer.from(JSON.stringify(token)).toString('base64') }
}

/** The address of a user's own page. Source: contract/wearables.md §1.1. */
export function createPortalUrl(
  world: World,
  userId: string,
  { context, order_id }: Parsed<typeof PortalWish>,
): Parsed<typeof PortalAccess> {
  getUser(world, userId)
  if (order_id && world.db.find(orders, order_id)?.user_id !== userId) {
    throw new Problem('not_found', "This order doesn't exist")
  }
  if (!findDemographics(world, userId)) {
    throw new Problem('invalid', 'The user has no demographics data, which the portal needs.')
  }
  const letters = world.random.letters(`portal/${world.next('portal')}`, BASE62, 24)
  return {
    url: `${world.baseUrl}/portal/${letters}`,
    expires_in: portalLifetimes[context] / SECOND_MS,
  }
}
