import { didYouMean } from '../kernel/nearest.ts'

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Throws a TypeError for what cannot be the id of an order or user. */
export function assertId(noun: 'order' | 'user', id: string): void {
  if (UUID.test(id)) return
  const hint = noun === 'order' ? ' petri.orders.list() lists the orders.' : ''
  throw new TypeError(`"${id}" is not ${noun === 'order' ? 'an' : 'a'} ${noun} id.${hint}`)
}
