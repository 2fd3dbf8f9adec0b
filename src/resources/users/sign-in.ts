import type { Parsed } from '../../api/schema.ts'
import { BASE62 } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import type { SignInToken } from './schema.ts'
import { getUser } from './service.ts'

/** Creates a sign-in token for mobile SDKs: JSON in Base64. Source: contract/errors-and-auth.md §2. */
export function createSignInToken(world: World, userId: string): Parsed<typeof SignInToken> {
  getUser(world, userId)
  const ordinal = world.next('sign_in_token')
  const token = {
    public_key: world.random.letters('public_key', BASE62, 32),
    user_token: world.random.letters(`sign_in_token/${ordinal}`, BASE62, 64),
  }
  return { user_id: userId, sign_in_token: Buffer.from(JSON.stringify(token)).toString('base64') }
}
