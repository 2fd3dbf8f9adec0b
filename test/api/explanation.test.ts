import { describe, expect, it } from 'vitest'
import { startTestPetri, type TestPetri } from '../support/petri.ts'

const place = async (petri: TestPetri, scenario: string, more: object = {}) =>
  (await petri.post('/_petri/orders', { scenario, ...more })).body.id
const explain = async (petri: TestPetri, id: string): Promise<string[]> =>
  (await petri.get(`/_petri/orders/${id}`)).body.explanation

describe('the explanation of an order', () => {
  it('says what its scenario does next, and that the clock is frozen', async () => {
    const petri = await startTestPetri()
    const id = await place(petri, 'happy-path')
    expect(await explain(petri, id)).toEqual([
      'The order is received.testkit.ordered since 2026-01-05T09:00:00+00:00 (0s).',
      'Its scenario happy-path continues at 2026-01-05T13:00:00.000Z with received.testkit.requisition_created; the clock is frozen, so no time passes by itself.',
      `\`npx petri-sandbox clock set 2026-01-05T13:00:00.000Z\` brings it there; \`npx petri-sandbox order move ${id} STATUS\` sets one of requisition_created, cancelled, requisition_bypassed, do_not_process.`,
      'No webhooks were sent, because the world has no endpoint; add one with `npx petri-sandbox webhook add URL`.',
    ])
  })

  it('says what the customer has to do', async () => {
    const petri = await startTestPetri()
    const id = await place(petri, 'happy-path', { registrable: true })
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    const [, why, what] = await explain(petri, id)
    expect(why).toBe(
      'Its scenario happy-path waits until the customer registers the kit (`POST /v3/order/testkit/register`).',
    )
    expect(what).toMatch(
      /^`npx petri-sandbox order move .* STATUS` sets one of registered, do_not_process\.$/,
    )
  })

  it.each([
    ['walk-in-waits-for-booking', 'POST /v3/order/{order_id}/psc/appointment/book'],
    ['at-home-happy-path', 'POST /v3/order/{order_id}/phlebotomy/appointment/book'],
  ])('names the call that books an appointment: %s', async (scenario, call) => {
    const petri = await startTestPetri()
    const id = await place(petri, scenario)
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    expect((await explain(petri, id))[1]).toBe(
      `Its scenario ${scenario} waits until the customer books an appointment (\`${call}\`).`,
    )
  })

  it('says why it left its scenario, and that a status is final', async () => {
    const petri = await startTestPetri()
    const id = await place(petri, 'happy-path')
    await petri.post(`/_petri/orders/${id}/move`, { status: 'cancelled' })
    const [where, why, what] = await explain(petri, id)
    expect(where).toContain('cancelled.testkit.cancelled')
    expect(why).toMatch(
      /^It has left the scenario happy-path because of a .*; requisition_created, .*completed will not come\.$/,
    )
    expect(what).toContain('is final')
  })

  it('says why webhooks were refused, and that all were delivered', async () => {
    let status = 500
    const petri = await startTestPetri({ transport: async () => ({ status, headers: {}, body: 'no' }) })
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9999/hook' })
    const id = await place(petri, 'manual')
    await petri.post('/_petri/clock/advance', { by: '1s' })
    expect((await explain(petri, id)).at(-1)).toMatch(
      /^1 of 1 webhook was not delivered: .*500.*; `npx petri-sandbox webhook retry` tries again now\.$/,
    )
    status = 200
    await petri.post('/_petri/clock/advance', { by: '1h' })
    expect((await explain(petri, id)).at(-1)).toBe('1 webhook was delivered.')
  })
})
