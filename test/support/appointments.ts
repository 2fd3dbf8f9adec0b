import { moveOrder, orderBy, readOrder } from './orders.ts'
import type { Answer, TestPetri } from './petri.ts'

export const visitAddress = {
  first_line: '256 West Lincoln Street',
  second_line: '14',
  city: 'Phoenix',
  state: 'AZ',
  zip_code: '85004',
}
export const visitOrderAddress = {
  first_line: '256 West Lincoln Street',
  second_line: '14',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  access_notes: 'Gate code 1234',
}

/** An address where phlebotomists come on request only. */
export const onalaska = { first_line: '12 Main Street', city: 'Onalaska', state: 'WI', zip_code: '54650' }

export const askForVisit = (petri: TestPetri, id: string, more: object = {}) =>
  petri.post(`/v3/order/${id}/phlebotomy/appointment/request`, {
    address: onalaska,
    provider: 'phlebfinders',
    ...more,
  })

/** An order whose requisition is there, and that waits for an appointment. */
export async function orderReady(
  petri: TestPetri,
  method: 'walk_in_test' | 'at_home_phlebotomy',
  more: Record<string, unknown> = {},
) {
  const order = await orderBy(petri, method, { patient_address: visitOrderAddress, ...more })
  return (await moveOrder(petri, order.id, 'requisition_created')).body
}

export interface Offer {
  readonly booking_key: string
  readonly start: string
  readonly end: string
  readonly expires_at: string
}

/** The slots of all days of a reply. */
export const offersIn = ({ body }: Pick<Answer, 'body'>): Offer[] =>
  body.slots.flatMap((day: { slots: Offer[] }) => day.slots)

export const homeSlots = async (petri: TestPetri): Promise<Offer[]> =>
  offersIn(await petri.post('/v3/order/phlebotomy/appointment/availability', visitAddress))

export const searchPsc = (petri: TestPetri, query: string, body?: unknown): Promise<Answer> =>
  petri.call('POST', `/v3/order/psc/appointment/availability${query}`, body)

export const pscSlots = async (petri: TestPetri, lab = 'quest'): Promise<Offer[]> =>
  offersIn(await searchPsc(petri, `?lab=${lab}&zip_code=85004`))

export type Kind = 'psc' | 'phlebotomy'

export const book = (petri: TestPetri, kind: Kind, orderId: string, body: unknown, headers = {}) =>
  petri.post(`/v3/order/${orderId}/${kind}/appointment/book`, body, headers)

export const change = (petri: TestPetri, kind: Kind, orderId: string, what: string, body: unknown) =>
  petri.patch(`/v3/order/${orderId}/${kind}/appointment/${what}`, body)

export const read = (petri: TestPetri, kind: Kind, orderId: string) =>
  petri.get(`/v3/order/${orderId}/${kind}/appointment`)

/** The low statuses an order has had. */
export async function trail(petri: TestPetri, orderId: string): Promise<string[]> {
  const { events } = await readOrder(petri, orderId)
  return events.map(({ status }: { status: string }) => status.split('.').at(-1))
}
