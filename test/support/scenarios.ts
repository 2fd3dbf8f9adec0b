import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { type LowStatus, legalMoves, readStatus } from '../../src/resources/orders/lifecycle.ts'
import { orders, workflowOf } from '../../src/resources/orders/table.ts'
import { readScenario, ScenarioError } from '../../src/scenarios/read.ts'
import { book, homeSlots, pscSlots, visitOrderAddress } from './appointments.ts'
import { type LabMethod, orderKit, readOrder, register, sendOrder, standardTest } from './orders.ts'
import { eventsOf, type TestPetri } from './petri.ts'

/** Scenarios of orders in the gallery; with `feeds`, those of connections. */
export const scenarioNames = (folder: '' | 'feeds/' = ''): string[] =>
  readdirSync(new URL(`../../scenarios/${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''))

/** Uploads a scenario of orders. */
export const uploadScenario = (
  petri: TestPetri,
  name: string,
  method: string,
  steps: readonly object[],
  more: object = {},
) => petri.put(`/_petri/scenarios/${name}`, { name, summary: 'A test.', method, steps, ...more })

/** Places an order by a method for a patient whose home can be visited. Returns its id. */
export async function placeByMethod(petri: TestPetri, method: string, scenario: string): Promise<string> {
  const order = { lab_test_id: await standardTest(petri, method), patient_address: visitOrderAddress }
  return (await sendOrder(petri, order, { headers: { 'x-petri-scenario': scenario } })).body.order.id
}

export interface PlacedOrder {
  readonly id: string
  /** Does what the scenario waits for; false when there is nothing the customer could do. */
  help(what: string | null | undefined): Promise<boolean>
}

/** Places an order that follows a scenario, whatever its method. */
export async function placeFor(petri: TestPetri, name: string): Promise<PlacedOrder> {
  const { method } = await petri.read(`/_petri/scenarios/${name}`)
  if (method === 'testkit') {
    const { id, sample_id } = await orderKit(petri, { scenario: name })
    const sampleOf = async () => (await readOrder(petri, id)).sample_id ?? sample_id
    return {
      id,
      help: async (what) =>
        what === 'registration' && (await register(petri, await sampleOf())).status === 200,
    }
  }
  return placeVisit(petri, name, method)
}

async function placeVisit(petri: TestPetri, name: string, method: LabMethod): Promise<PlacedOrder> {
  const id = await placeByMethod(petri, method, name)
  const kind = method === 'walk_in_test' ? 'psc' : 'phlebotomy'
  let booked = 0
  return {
    id,
    async help(what) {
      if (what !== 'appointment') return false
      const slots = kind === 'psc' ? await pscSlots(petri) : await homeSlots(petri)
      const slot = slots[booked++]
      await book(petri, kind, id, { booking_key: slot?.booking_key })
      return booked < 4
    },
  }
}

/** A scenario file with these steps, each in flow style. */
export const scenarioText = (method: string, steps: readonly string[]): string =>
  ['name: mine', 'summary: x', `method: ${method}`, 'steps:', ...steps.map((step) => `  - { ${step} }`)].join(
    '\n',
  )

/** Why a scenario with these steps is refused: the number of the step, and the message. */
export function scenarioRefusals(method: string, ...steps: string[]): string[] {
  try {
    readScenario(scenarioText(method, steps), 'mine.yaml')
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.issues.map(({ step, message }) => `${step} ${message}`)
    throw error
  }
}

/** Each order keeps to its lifecycle, and each of its statuses is announced once, in order. */
export function expectLegalLives(petri: TestPetri): void {
  const told = eventsOf(petri)
  for (const order of petri.world().db.all(orders)) {
    const lows = order.events.map(({ status }) => readStatus(status)?.low as LowStatus)
    for (let at = 1; at < lows.length; at++)
      expect(legalMoves(workflowOf(order), lows.slice(0, at))).toContain(lows[at])
    const announced = told
      .filter((event) => event.order_id === order.id && event.event_type.startsWith('labtest.order.'))
      .map((event) => (event.payload as { data: { last_event: { id: number } } }).data.last_event.id)
    expect(announced).toEqual(order.events.map(({ id }) => id))
  }
}
