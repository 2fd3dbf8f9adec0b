import { expect, it } from 'vitest'
import { advance, orderKit, sendOrder, standardTest } from '../support/orders.ts'
import { startTestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

// What stands still or fails says so, to whoever advances the clock and to whoever reads the log.

it('an advance ends with what waits for the customer, and with what failed', async () => {
  let replies: number[] = []
  const { petri } = await startHeardPetri(() => replies.shift() ?? 200, { world: { frozen: true } })
  const summary = async () => (await advance(petri, '10d')).body.summary
  expect(await summary()).toEqual([])
  await orderKit(petri, { scenario: 'happy-path' })
  await petri.world().agenda.settled()
  replies = [500]
  expect(await summary()).toEqual([
    '1 order waits for registration',
    '1 delivery failed: The receiver answered 500',
  ])
  const visit = await standardTest(petri, 'at_home_phlebotomy')
  await sendOrder(petri, { lab_test_id: visit }, { headers: { 'x-petri-scenario': 'at-home-happy-path' } })
  await orderKit(petri, { scenario: 'happy-path', zip: '85005' })
  await petri.world().agenda.settled()
  replies = [503, 503]
  expect(await summary()).toEqual([
    '2 orders wait for registration',
    '1 order waits for an appointment',
    '2 deliveries failed: The receiver answered 503',
  ])
})

it('the summary of an advance repeats the reason of a failure as it is written, without its advice', async () => {
  const untrusted = Object.assign(new Error('self-signed certificate'), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  const petri = await startTestPetri({
    transport: () => Promise.reject(untrusted),
    world: { frozen: true, webhookUrl: 'https://receiver.test/hook' },
  })
  await orderKit(petri, { scenario: 'manual' })
  await petri.world().agenda.settled()
  expect((await advance(petri, '1m')).body.summary).toEqual([
    '4 deliveries failed: TLS failed: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ])
  await petri.close()
})

it('a message that is given up and an endpoint that is disabled are warnings, once each', async () => {
  const warnings: [string, Readonly<Record<string, unknown>>][] = []
  const petri = await startTestPetri({
    warn: (...warning) => warnings.push(warning),
    transport: async () => ({ status: 500, headers: {}, body: '' }),
    world: { frozen: true, webhookUrl: 'http://receiver.test/hook' },
  })
  await orderKit(petri, { scenario: 'manual' })
  await petri.world().agenda.settled()
  await advance(petri, '2d')
  expect(warnings.map(([message, { event_type }]) => [message, event_type])).toEqual([
    ['A webhook message was given up', 'labtest.order.created'],
    ['A webhook message was given up', 'labtest.order.updated'],
  ])
  expect(warnings[0]?.[1]).toMatchObject({
    url: 'http://receiver.test/hook',
    attempts: 8,
    reason: 'The receiver answered 500',
    world: 'Petri',
  })
  await advance(petri, '4d')
  await orderKit(petri, { scenario: 'manual', zip: '85001' })
  await petri.world().agenda.settled()
  await advance(petri, '1h')
  const disabled = warnings.filter(([message]) => message === 'A webhook endpoint was disabled')
  expect(disabled).toHaveLength(1)
  expect(disabled[0]?.[1].enable).toMatch(/^npx petri-sandbox webhook enable ep_/)
  await petri.close()
})
