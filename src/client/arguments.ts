import { isObject } from '../kernel/json.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { messageOf } from '../kernel/reason.ts'
import { isCanonicalUuid } from '../kernel/uuid.ts'
import { type SettingName, settings } from '../settings.ts'

/** Throws an Error that says what a value should be. */
type Check = (value: unknown) => void

/** The options of a type; `true` where Petri checks what it is sent. The compiler checks that none is missing. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: true | Check }

/** Throws a TypeError for options that do not exist or have a wrong value. */
export function assertOptions<Options extends object>(
  method: string,
  given: Options | undefined,
  checks: OptionChecks<Options>,
): void {
  if (given === undefined) return
  assertObject(method, given)
  const names = Object.keys(checks)
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const check = names.includes(name) ? checks[name as keyof Options] : undefined
    if (check === undefined)
      return `${method} has no option "${name}".${didYouMean(name, names) || ` It has ${names.join(', ')}.`}`
    return value === undefined || check === true ? [] : (whyWrong(name, value, check) ?? [])
  })
  if (wrong.length > 0) throw new TypeError(wrong.join('\n'))
}

function whyWrong(name: string, value: unknown, check: Check): string | undefined {
  try {
    check(value)
    return undefined
  } catch (error) {
    return `${name} ${messageOf(error)}; it is ${describe(value)}.`
  }
}

/** Throws a TypeError for what is not an object. */
export function assertObject(method: string, given: unknown): void {
  if (!isObject(given) || given instanceof Promise)
    throw new TypeError(`${method} takes an object; it got ${describe(given)}.${mistakenFor(given) ?? ''}`)
}

/** A value of a type that a setting of the command takes. */
export const asSetting =
  (name: SettingName, type: 'string' | 'number' | 'boolean' = 'string'): Check =>
  (value) => {
    // No setting takes an empty text, so it gives the sentence for a value of another type.
    settings[name].read(typeof value === type ? String(value) : '')
  }

export const asInstant: Check = (value) =>
  asSetting('now')(value instanceof Date ? String(value.toJSON()) : value)

export const asListOf =
  (noun: string, check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) throw new Error(`should be a list of ${noun}`)
    value.forEach(check)
  }

export const asCount: Check = (value) => {
  if (!Number.isSafeInteger(value) || Number(value) < 1) throw new Error('should be a whole number above 0')
}

export const asFunction: Check = (value) => {
  if (typeof value !== 'function') throw new Error('should be a function')
}

export const asReceiver: Check = (value) => {
  if (typeof value !== 'function') asSetting('webhookUrl')(value)
}

/** Where an object has what methods take of it. */
const fieldOf = {
  'order id': 'id',
  'user id': 'user_id',
  'endpoint id': 'id',
  'message id': 'id',
  'request id': 'id',
  'scenario name': 'name',
  'snapshot name': 'name',
  provider: 'slug',
} as const
type IdKind = keyof typeof fieldOf

/** Throws a TypeError for what cannot be the id or name of such an object, and says what it is instead. */
export function assertId(kind: IdKind, id: unknown): void {
  const isUuid = kind === 'order id' || kind === 'user id'
  if (typeof id === 'string' && (isUuid ? isCanonicalUuid(id.toLowerCase()) : id !== '')) return
  const hint = kind === 'order id' ? ' petri.orders.list() lists the orders.' : ''
  const article = /^[aeo]/.test(kind) ? 'an' : 'a'
  throw new TypeError(
    `${capitalized(describe(id))} is not ${article} ${kind}.${mistakenFor(id, `its ${fieldOf[kind]}`) ?? hint}`,
  )
}

/** Throws a TypeError for an object or a promise in a filter. */
export function assertFilter(method: string, filter: unknown): void {
  assertObject(method, filter)
  for (const [name, value] of Object.entries(filter as object)) {
    if (isObject(value))
      throw new TypeError(`${method}: ${name} is ${describe(value)}.${mistakenFor(value, 'its id')}`)
  }
}

/** Throws a TypeError for what is not an order. */
export function assertOrder(order: unknown): void {
  if (isObject(order) && Array.isArray(order.events) && isObject(order.last_event)) return
  const remedy =
    order instanceof Promise
      ? mistakenFor(order, 'the order')
      : ' Give an order: expect(await world.orders.get(id)).'
  throw new TypeError(`${capitalized(describe(order))} is not an order.${remedy}`)
}

/** Throws a TypeError for what is not a world. */
export function assertWorld(world: unknown): void {
  if (isObject(world) && typeof world.call === 'function') return
  const remedy = mistakenFor(world, 'the world')
  throw new TypeError(
    `${capitalized(describe(world))} is not a world.${remedy ?? ' Give one: expect(world).'}`,
  )
}

export function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'function') return 'a function'
  if (isObject(value)) return value instanceof Date ? 'a Date' : 'an object'
  return JSON.stringify(value) ?? String(value)
}

const capitalized = (description: string) =>
  description.replace(/^an? /, (article) => article.replace('a', 'A'))

/** Advice for a promise or a whole object in place of something else. */
function mistakenFor(value: unknown, wanted = 'the object'): string | undefined {
  if (value instanceof Promise) return ` Await it, and give ${wanted}.`
  return isObject(value) ? ` Give ${wanted}.` : undefined
}
