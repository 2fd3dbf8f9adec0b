import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import {
  dhlCheck,
  fedexCheck,
  trackingNumber,
  upsCheck,
  uspsCheck,
} from '../../src/resources/orders/tracking.ts'

const random = createRandom('tracking')
const many = (courier: string) =>
  Array.from({ length: 200 }, (_, at) => trackingNumber(random, courier, `parcel/${at}`))
const [body, check] = [(text: string) => text.slice(0, -1), (text: string) => Number(text.at(-1))]

describe('tracking numbers', () => {
  it('keep to the form of each courier and end in its check digit', () => {
    for (const number of many('usps')) {
      expect(number).toMatch(/^94001\d{17}$/)
      expect(uspsCheck(body(number))).toBe(check(number))
    }
    for (const number of many('ups')) {
      expect(number).toMatch(/^1Z[A-Z0-9]{6}03\d{8}$/)
      expect(upsCheck(body(number.slice(2)))).toBe(check(number))
    }
    for (const number of many('fedex')) {
      expect(number).toMatch(/^\d{12}$/)
      expect(fedexCheck(body(number))).toBe(check(number))
    }
    for (const number of many('dhl')) {
      expect(number).toMatch(/^\d{10}$/)
      expect(dhlCheck(body(number))).toBe(check(number))
    }
  })

  it('pass the check of numbers known to be right', () => {
    expect(upsCheck('999AA1012345678')).toBe(4)
    expect(fedexCheck('98657878885')).toBe(5)
    expect(uspsCheck('12')).toBe(10 - (2 * 3 + 1 * 1))
    expect(dhlCheck('123456789')).toBe(1)
  })
})
