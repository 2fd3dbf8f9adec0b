import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderLife } from '../../src/client/responses.ts'
import { advance, moveOrder, readDetails, readFollowed, readOrder, untilIdle } from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const place = async (scenario: string, more: object = {}) =>
  (await petri.post('/_petri/orders', { scenario, ...more })).body.id
const explain = async (id: string): Promise<string[]> => (await readDetails(petri, id)).explanation.lines

describe('the explanation of an order', () => {
  it('says what its scenario does next, and that the clock is frozen', async () => {
    const id = await place('happy-path')
    expect(await explain(id)).toEqual([
      'The order is received.testkit.ordered since 5 Jan 2026 09:00:00 (0 s).',
      'Its scenario happy-path continues at 5 Jan 2026 13:00:00 with received.testkit.requisition_created; the clock is frozen, so no time passes by itself.',
      `\`npx petri-sandbox clock set 2026-01-05T13:00:00.000Z\` brings it there; \`npx petri-sandbox order move ${id} STATUS\` sets one of requisition_created, cancelled, requisition_bypassed, do_not_process.`,
      'No webhooks were sent, because the world has no endpoint; add one with `npx petri-sandbox webhook add URL`.',
    ])
  })

  it.each([
    ['happy-path', 'registers the kit', 'POST /v3/order/testkit/register'],
    ['walk-in-waits-for-booking', 'books an appointment', 'POST /v3/order/{order_id}/psc/appointment/book'],
    ['at-home-happy-path', 'books an appointment', 'POST /v3/order/{order_id}/phlebotomy/appointment/book'],
  ])('names the call that the customer has to make: %s', async (scenario, does, call) => {
    const id = await place(scenario, scenario === 'happy-path' ? { registrable: true } : {})
    await untilIdle(petri)
    expect((await explain(id))[1]).toBe(
      `Its scenario ${scenario} waits until the customer ${does} (\`${call}\`).`,
    )
  })

  it.each([
    [
      'registered_kit',
      true,
      'This kit is registered later, and all steps of the scenario registered-only are for kits that are registered when they are ordered (only: registered_kit).',
    ],
    [
      'registrable_kit',
      false,
      'This kit is registered already, and all steps of the scenario registered-only are for kits that are registered later (only: registrable_kit).',
    ],
  ])(
    'says that a scenario has no steps for its kind of kit, and warns at once: %s',
    async (only, registrable, reason) => {
      const warnings: unknown[] = []
      petri = await startTestPetri({ warn: (...warning) => warnings.push(warning) })
      const first = only === 'registered_kit' ? [] : [`  - { await: registration, only: ${only} }`]
      const step = `  - { after: 1h, status: requisition_created, only: ${only} }`
      const head = ['name: registered-only', 'summary: x', 'method: testkit', 'steps:']
      await petri.put('/_petri/scenarios/registered-only', [...head, ...first, step].join('\n'), {
        'content-type': 'application/yaml',
      })
      const id = await place('registered-only', { registrable })
      expect(warnings).toEqual([
        [
          'A scenario does not fit an order',
          expect.objectContaining({ order_id: id, scenario: 'registered-only', reason }),
        ],
      ])
      expect((await readFollowed(petri, id)).warning).toBe(reason)
      expect((await explain(id))[1]).toBe(reason)
      const body = await readDetails(petri, id)
      expect(body.explanation.sentence).toBe(reason)
      const other = await place('registered-only', { registrable: !registrable })
      expect((await readFollowed(petri, other)).warning).toBeNull()
      expect(warnings).toHaveLength(1)
    },
  )

  it('says why it left its scenario, and that a status is final', async () => {
    const id = await place('happy-path')
    await moveOrder(petri, id, 'cancelled')
    const [where, why, what] = await explain(id)
    expect(where).toContain('cancelled.testkit.cancelled')
    expect(why).toMatch(
      /^It has left the scenario happy-path because the order was moved manually; requisition_created, .*completed will not come\.$/,
    )
    expect(what).toContain('is final')
  })

  it('says why webhooks were refused, and that all were delivered', async () => {
    let status = 500
    petri = await startTestPetri({ transport: async () => ({ status, headers: {}, body: 'no' }) })
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9999/hook' })
    const id = await place('manual')
    await advance(petri, '1s')
    expect((await explain(id)).at(-1)).toMatch(
      /^1 of 1 webhook was not delivered: .*500.*; `npx petri-sandbox webhook resend`/,
    )
    status = 200
    await advance(petri, '1h')
    expect((await explain(id)).at(-1)).toBe('1 webhook was delivered.')
  })

  it('says that all endpoints are disabled', async () => {
    const { body } = await petri.post('/_petri/webhooks/endpoints', { url: 'http://receiver.test/hook' })
    await petri.patch(`/_petri/webhooks/endpoints/${body.id}`, { disabled: true })
    expect((await explain(await place('happy-path')))[3]).toBe(
      `No webhooks were sent, because all endpoints are disabled; \`npx petri-sandbox webhook enable ${body.id}\` enables one.`,
    )
  })
})

describe('the next action for an order', () => {
  const explanationOf = async (id: string): Promise<OrderLife['explanation']> =>
    (await readDetails(petri, id)).explanation
  /** Does what the first action says. */
  const act = async (id: string) => {
    const [first] = (await explanationOf(id)).actions
    if (!first) throw new Error('nothing to do')
    const answer = await petri.call(first.method, first.path, first.body ?? undefined)
    expect([first.label, answer.status < 300]).toEqual([first.label, true])
    return first
  }
  const statusOf = async (id: string) => (await readOrder(petri, id)).last_event.status.split('.').at(-1)

  it('is to wait for the next step, whose instant the clock is advanced to', async () => {
    const id = await place('happy-path')
    expect(await explanationOf(id)).toMatchObject({
      sentence:
        'The next status, requisition created, comes on 5 Jan 2026 13:00:00, in 4 h; the clock is frozen.',
      actions: [
        {
          kind: 'advance',
          label: 'Advance to 5 Jan 13:00',
          method: 'POST',
          path: '/_petri/clock/advance',
          body: { to: '2026-01-05T13:00:00.000Z' },
          command: 'npx petri-sandbox clock advance --to 2026-01-05T13:00:00.000Z',
        },
      ],
    })
    await petri.post('/_petri/clock/advance', { to: '2026-01-05T12:59:52.985Z' })
    expect((await explanationOf(id)).sentence).toContain(', in 7 s;')
    await petri.post('/_petri/clock/advance', { to: '2026-01-05T12:59:59.001Z' })
    expect((await explanationOf(id)).sentence).toMatch(/ is due now\.$/)
    await act(id)
    expect(await statusOf(id)).toBe('requisition_created')
  })

  it('is to register a kit for its recipient', async () => {
    const id = await place('happy-path', { registrable: true })
    await untilIdle(petri)
    const { shipping_details } = await readOrder(petri, id)
    expect((await explanationOf(id)).sentence).toBe(
      `${shipping_details.receiver_name} has not registered the kit, and the scenario waits for it.`,
    )
    expect(await act(id)).toMatchObject({
      label: 'Register the kit',
      command: `npx petri-sandbox order register ${id}`,
    })
    const { patient_details: patient, last_event } = await readOrder(petri, id)
    expect(last_event.status).toBe('received.testkit.testkit_registered')
    expect(`${patient.first_name} ${patient.last_name}`).toBe(shipping_details.receiver_name)
    expect((await explanationOf(id)).actions[0]?.kind).toBe('advance')
  })

  it.each(['walk-in-waits-for-booking', 'at-home-happy-path'])('is to book a visit: %s', async (scenario) => {
    const id = await place(scenario)
    await untilIdle(petri)
    expect(await act(id)).toMatchObject({
      label: 'Book the visit',
      command: `npx petri-sandbox order book ${id}`,
    })
    expect(await statusOf(id)).toBe('appointment_scheduled')
  })

  it('is to resend webhooks that failed, to enable their endpoint, and to send those given up again', async () => {
    let status = 500
    petri = await startTestPetri({ transport: async () => ({ status, headers: {}, body: 'no' }) })
    const { id: endpoint } = (
      await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9999/hook' })
    ).body
    const other = await place('manual')
    const id = await place('manual')
    await advance(petri, '1s')
    const { sentence, actions } = await explanationOf(id)
    expect(sentence).toBe('1 of 1 webhook not delivered: The receiver answered 500.')
    expect(actions.map(({ label }) => label)).toEqual(['Resend 1 webhook', 'Move to requisition created'])
    await petri.patch(`/_petri/webhooks/endpoints/${endpoint}`, { disabled: true })
    status = 200
    expect((await act(id)).command).toBe(`npx petri-sandbox webhook enable ${endpoint}`)
    expect(await act(id)).toMatchObject({
      label: 'Resend 1 webhook',
      command: `npx petri-sandbox webhook resend --order ${id}`,
    })
    await advance(petri, '1s')
    const countsOf = async (order: string) => (await readDetails(petri, order)).messages
    expect(await countsOf(id)).toMatchObject({ delivered: 1, failed: 0, last_error: null })
    expect(await countsOf(other)).toMatchObject({ delivered: 0, failed: 1 })
  })

  it('is a move by hand along the happy path, and nothing once the order is completed', async () => {
    const id = await place('manual')
    const moves: string[] = []
    while ((await explanationOf(id)).actions.length > 0) moves.push((await act(id)).label)
    expect(moves[0]).toBe('Move to requisition created')
    expect(moves.at(-1)).toBe('Move to completed')
    expect((await explanationOf(id)).sentence).toBe('The order is completed, and nothing is left to do.')
  })

  it('names no kit or visit where there is none', async () => {
    const id = await place('happy-path')
    const [registered, booked] = await Promise.all(
      ['register', 'book'].map((what) => petri.post(`/_petri/orders/${id}/${what}`)),
    )
    expect([registered?.status, registered?.body.detail]).toEqual([
      400,
      `The order ${id} is not a kit that its recipient registers.`,
    ])
    expect([booked?.status, booked?.body.detail]).toEqual([
      400,
      `The order ${id} has no appointment to book.`,
    ])
  })
})
