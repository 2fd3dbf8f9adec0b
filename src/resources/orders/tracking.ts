import { DIGITS, type Random, UPPER_ALPHANUMERIC } from '../../kernel/random.ts'

/** Parcel numbers that pass the couriers' own checks. Source: docs/contract/placing.md. */
const couriers = ['usps', 'ups', 'fedex', 'dhl'] as const
type Courier = (typeof couriers)[number]

const makers: Record<
  Courier,
  (digits: (length: number) => string, letters: (length: number) => string) => string
> = {
  usps: (digits) => withCheck(`94001${digits(16)}`, uspsCheck),
  ups: (digits, letters) => `1Z${withCheck(`${letters(6)}03${digits(7)}`, upsCheck)}`,
  fedex: (digits) => withCheck(digits(11), fedexCheck),
  dhl: (digits) => withCheck(digits(9), dhlCheck),
}

/** A tracking number, a function of the key; unknown couriers are handled like `usps`. */
export function trackingNumber(random: Random, courier: string, key: string): string {
  const known = couriers.find((name) => name === courier.toLowerCase()) ?? 'usps'
  return makers[known](
    (length) => random.letters(`${key}/digits`, DIGITS, length),
    (length) => random.letters(`${key}/letters`, UPPER_ALPHANUMERIC, length),
  )
}

const withCheck = (body: string, check: (body: string) => number) => `${body}${check(body)}`

/** Weights 3, 1, 3, 1 … from the right. */
export const uspsCheck = (body: string): number => {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** Over the 15 characters behind `1Z`; a letter counts as its code less 63, modulo 10. */
export const upsCheck = (body: string): number => {
  const value = (character: string) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10
  const sum = [...body].reduce((total, character, at) => total + value(character) * (at % 2 === 0 ? 1 : 2), 0)
  return (10 - (sum % 10)) % 10
}

export const fedexCheck = (body: string): number => {
  const weights = [3, 1, 7]
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0), 0)
  return (sum % 11) % 10
}

export const dhlCheck = (body: string): number => Number(body) % 7
