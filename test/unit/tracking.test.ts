import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type OrderRow, trackingNumbersOf } from '../../src/resources/orders/table.ts'
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
const body = (text: string) => text.slice(0, -1)
const check = (text: string) => Number(text.at(-1))

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
    expect(uspsCheck('123')).toBe(10 - ((3 * 3 + 2 * 1 + 1 * 3) % 10))
    expect(dhlCheck('123456789')).toBe(1)
  })

  it.each([
    [upsCheck, '000000000000001', 10 - 1],
    [upsCheck, '000000000000010', 10 - 2],
    [fedexCheck, '00000000001', 1],
    [fedexCheck, '00000000010', 3],
    [fedexCheck, '00000000100', 7],
    [fedexCheck, '00000001000', 1],
  ])('weigh each place: $1 has the check digit $2', (checkOf, digits, expected) => {
    expect(checkOf(digits)).toBe(expected)
  })

  it('differ from parcel to parcel, and are those of the post where the courier is not known', () => {
    const parts = (courier: string, from: number, until?: number) =>
      new Set(many(courier).map((number) => number.slice(from, until))).size
    expect([parts('usps', 5), parts('ups', 2, 8), parts('ups', 10), parts('dhl', 0)]).toEqual([
      200, 200, 200, 200,
    ])
    expect(trackingNumber(random, 'UPS', 'parcel')).toBe(trackingNumber(random, 'ups', 'parcel'))
    expect(trackingNumber(random, 'pigeon', 'parcel')).toBe(trackingNumber(random, 'usps', 'parcel'))
  })
})

it.each<[string, object, string[]]>([
  ['a kit on its way', { outbound_tracking_number: 'A', inbound_tracking_number: null }, ['A']],
  ['a kit on its way back', { outbound_tracking_number: 'A', inbound_tracking_number: 'B' }, ['A', 'B']],
  ['a kit that has not shipped', {}, []],
])('the parcels of %s are known by their numbers', (_, shipment, numbers) => {
  const parcelsOf = (details: object) => trackingNumbersOf({ details } as OrderRow)
  expect(parcelsOf({ type: 'testkit', data: { shipment } })).toEqual(numbers)
  expect(parcelsOf({ type: 'testkit', data: { shipment: null } })).toEqual([])
  expect(parcelsOf({ type: 'testkit', data: null })).toEqual([])
  expect(parcelsOf({ type: 'walk_in_test', data: { shipment } })).toEqual([])
})
