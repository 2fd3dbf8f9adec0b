import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import { BASE62 } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import type { Connection } from '../connections/table.ts'
import type { Recipe } from './schema.ts'
import { recipes } from './table.ts'

export function keepRecipe(world: World, provider: string, recipe: Parsed<typeof Recipe>): void {
  world.db.put(recipes, { ...recipe, provider })
}

/** The credentials of an imported connection; made up for other connections. */
export function recipeOf(
  world: World,
  { user_id, provider, external_user_id }: Connection,
): Parsed<typeof Recipe> {
  const kept = world.db.find(recipes, `${user_id}/${provider}`)
  if (kept) {
    const { provider: _, ...recipe } = kept
    return recipe
  }
  const letters = (kind: string) => world.random.letters(`${kind}/${user_id}/${provider}`, BASE62, 40)
  return {
    user_id,
    access_token: letters('access_token'),
    refresh_token: letters('refresh_token'),
    provider_id: external_user_id ?? '',
    expires_at: Math.floor((world.clock.now() + DAY_MS) / SECOND_MS),
    oauth_scopes: null,
  }
}
