import { isObject } from '../kernel/json.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { isCanonicalUuid } from '../kernel/uuid.ts'

/** The names of the options of a type; the compiler checks that none is missing. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true }

/** Throws a TypeError for an option that does not exist. */
export function assertKnownOptions<Options extends object>(
  method: string,
  given: Options | undefined,
  known: OptionNames<Options>,
): void {
  if (given === undefined) return
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${method} takes an object of options; it got ${JSON.stringify(given)}.`)
  const names = Object.keys(known)
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (unknown.length === 0) return
  const lines = unknown.map((name) => `${method} has no option "${name}".${didYouMean(name, names)}`)
  throw new TypeError(lines.join('\n'))
}

/** Throws a TypeError for what cannot be the id of an order or user, and says what it is instead. */
export function assertId(noun: 'order' | 'user', id: unknown): void {
  if (typeof id === 'string' && isCanonicalUuid(id.toLowerCase())) return
  const hint = noun === 'order' ? ' petri.orders.list() lists the orders.' : ''
  const given = typeof id === 'string' ? `"${id}" is` : `${describe(id)} is`
  const remedy = mistakenFor(id, `its ${noun === 'order' ? 'id' : 'user_id'}`) ?? hint
  throw new TypeError(`${given} not ${noun === 'order' ? 'an' : 'a'} ${noun} id.${remedy}`)
}

/** Throws a TypeError for what is not an order. */
export function assertOrder(order: unknown): void {
  if (isObject(order) && Array.isArray(order.events) && isObject(order.last_event)) return
  const remedy = mistakenFor(order, 'the order') ?? ' Give an order: expect(await world.orders.get(id)).'
  throw new TypeError(`${describe(order)} is not an order.${remedy}`)
}

const describe = (value: unknown): string =>
  value instanceof Promise
    ? 'A promise'
    : isObject(value)
      ? 'An object'
      : (JSON.stringify(value) ?? 'undefined')

/** Advice for a promise or a whole object in place of an id. */
function mistakenFor(value: unknown, wanted: string): string | undefined {
  if (value instanceof Promise) return ` Await it, and give ${wanted}.`
  return isObject(value) && wanted.startsWith('its ') ? ` Give ${wanted}.` : undefined
}
