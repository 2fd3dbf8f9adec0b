import { type OrderRow, orderMetadata, orders } from '../../src/resources/orders/table.ts'
import { address, createUser, moveOrder, patient } from './orders.ts'
import type { TestPetri } from './petri.ts'

/** Order codes of quest. */
export const [LIPIDS, FERRITIN, POTASSIUM, METABOLIC] = ['7600', '457', '733', '10231']

export interface Line {
  readonly slug: string
  readonly value: number
  readonly result: string
  readonly type: string
  readonly notes: string | null
  readonly timestamp: string
  readonly interpretation: string
  readonly [field: string]: unknown
}

interface Wish {
  readonly details?: object
  readonly user?: string
  readonly more?: object
}

/** Orders markers of quest for a patient of their own, and leaves the order where it is. */
export async function orderMarkers(
  petri: TestPetri,
  codes: readonly (string | undefined)[],
  { details = {}, user, more = {} }: Wish = {},
): Promise<string> {
  const catalogue = petri.world().services.catalogue
  const marker_ids = codes.map((code) => catalogue.findMarker('quest', code ?? '')?.id)
  const user_id = user ?? (await createUser(petri, `user-${(await petri.read('/v2/user')).total}`))
  const answer = await petri.post(
    '/v3/order',
    {
      user_id,
      order_set: { add_on: { marker_ids } },
      collection_method: 'walk_in_test',
      patient_details: { ...patient, ...details },
      patient_address: address,
      ...more,
    },
    { 'x-petri-scenario': 'manual' },
  )
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order.id
}

/** Moves an order, without its way there. */
export async function report(petri: TestPetri, id: string, status: string, results?: object): Promise<void> {
  const answer = await moveOrder(petri, id, status, { results, force: true })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

/** Orders markers and completes the order with results; for a patient of its own unless a user is given. */
export async function completedOrder(
  petri: TestPetri,
  codes: readonly (string | undefined)[],
  { results = {}, user }: { results?: object; user?: string | undefined } = {},
): Promise<string> {
  const id = await orderMarkers(petri, codes, user === undefined ? {} : { user })
  await report(petri, id, 'completed', results)
  return id
}

export async function reportOf(petri: TestPetri, id: string) {
  const { status, body } = await petri.get(`/v3/order/${id}/result`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const lines: Line[] = body.results
  return {
    body,
    lines,
    values: Object.fromEntries(lines.map(({ slug, value }) => [slug, value])),
    line: (slug: string): Line | undefined => lines.find((each) => each.slug === slug),
  }
}

/** What the world stores of an order. */
export const storedOrder = (petri: TestPetri, id: string): OrderRow => petri.world().db.get(orders, id)
export const storedPlan = (petri: TestPetri, id: string) => petri.world().db.get(orderMetadata, id)
