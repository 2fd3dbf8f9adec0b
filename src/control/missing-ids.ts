import { plural } from '../kernel/readable.ts'
import { orders } from '../resources/orders/table.ts'
import { users } from '../resources/users/table.ts'
import type { AnyTable } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'

/** The kinds of objects that path parameters name. */
const named = [
  { parameter: 'order_id', noun: 'order', table: orders as AnyTable },
  { parameter: 'user_id', noun: 'user', table: users as AnyTable },
]

const PRINTABLE = /^[\x20-\x7e]+$/

/** Says what a world has instead of an id it does not know; undefined if it knows all ids of the path. */
export const explainMissingId =
  (worlds: Pick<Worlds, 'inMemory'>) =>
  (world: World, params: Readonly<Record<string, string>>, maySeeAll: boolean): string | undefined => {
    for (const { parameter, noun, table } of named) {
      const id = params[parameter]?.toLowerCase()
      if (id === undefined || world.db.has(table, id)) continue
      const other = named.find((each) => world.db.has(each.table, id))
      if (other) return `this is the id of ${other.noun === 'user' ? 'a user' : 'an order'} of this world`
      const here = `${plural(world.db.count(table), noun)} in this world`
      const owner = maySeeAll ? [...worlds.inMemory].find(({ db }) => db.has(table, id)) : undefined
      if (!owner) return here
      const { name, teamId } = owner.identity
      return `${here}; this id belongs to world ${PRINTABLE.test(name) ? `${name}, ` : ''}team ${teamId}`
    }
    return undefined
  }
