import { dottedStatuses, otherSpellings } from '../../src/resources/orders/lifecycle.ts'
import {
  type LabMethod,
  orderBy,
  orderForPatient,
  orderKit,
  readOrder,
  register,
  statusesOf,
} from './orders.ts'
import type { TestPetri } from './petri.ts'

/** Places an order that follows no scenario, by a method or for a kind of kit. Returns its id. */
export async function placed(petri: TestPetri, what: string): Promise<string> {
  if (what === 'testkit') return (await orderForPatient(petri, { scenario: 'manual' })).id
  if (!what.endsWith('kit')) return (await orderBy(petri, what as LabMethod)).id
  const kit = await orderKit(petri, { scenario: 'manual' })
  if (what === 'registered kit') await register(petri, kit.sample_id)
  return kit.id
}

/** The accepted status of the published form. */
export const dotted = (method: string, low: string): string =>
  [...dottedStatuses, ...Object.keys(otherSpellings)].find((status) =>
    status.endsWith(`.${method}.${low}`),
  ) ?? low

export function simulate(
  petri: TestPetri,
  id: string,
  to?: string,
  { delay = 0, body }: { delay?: number; body?: object | undefined } = {},
) {
  const query = new URLSearchParams({
    ...(to && { final_status: to }),
    ...(delay && { delay: String(delay) }),
  })
  return petri.post(`/v3/order/${id}/test?${query}`, body)
}

export const trailOf = async (petri: TestPetri, id: string) =>
  statusesOf(await readOrder(petri, id)).map((status) => status.split('.')[2])

/** The statuses that an order gets by this. */
export async function followsOf(petri: TestPetri, id: string, act: () => Promise<unknown>): Promise<string> {
  const before = await trailOf(petri, id)
  await act()
  return (await trailOf(petri, id)).slice(before.length).join(' ')
}
