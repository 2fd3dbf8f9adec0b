import { expect, it } from 'vitest'
import { messagesSettled } from '../../src/webhooks/messages.ts'
import { keepingFolder } from '../support/keeping-folder.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { fakeReceiver } from '../support/receiver.ts'

/** A Petri whose endpoint answers a status, over the same folder each time. */
function restartable() {
  const folder = keepingFolder()
  return async (status: number) => {
    let petri: TestPetri | undefined
    const { received, transport } = fakeReceiver(
      () => status,
      () => (petri as TestPetri).world(),
    )
    petri = await startTestPetri({ folder, transport, world: { webhookUrl: 'http://receiver.test/hook' } })
    await messagesSettled(petri.world())
    return { petri, received }
  }
}

const emit = async ({ petri }: { petri: TestPetri }) => {
  petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
  await messagesSettled(petri.world())
}
const advance = (petri: TestPetri, by: string) => petri.post('/_petri/clock/advance', { by })

it('a message waits after a restart for the time its retry was scheduled for', async () => {
  const start = restartable()
  const first = await start(500)
  await emit(first)
  await advance(first.petri, '5s')
  await first.petri.close()
  const second = await start(200)
  await advance(second.petri, '299s')
  expect(second.received).toHaveLength(0)
  await advance(second.petri, '1s')
  expect(second.received).toHaveLength(1)
  await second.petri.close()
  const third = await start(200)
  await advance(third.petri, '1d')
  expect(third.received).toHaveLength(0)
})

it('a message that waits for others still waits for them after a restart', async () => {
  const start = restartable()
  const first = await start(200)
  await first.petri.call('PUT', '/_petri/webhooks/delivery', { burst: 2 })
  await emit(first)
  await first.petri.close()
  const second = await start(200)
  await advance(second.petri, '1d')
  expect(second.received).toHaveLength(0)
  await emit(second)
  expect(second.received).toHaveLength(2)
})

it('a failed message that was to be sent again is so after a restart, once, and fails as before', async () => {
  const start = restartable()
  const first = await start(500)
  await emit(first)
  await advance(first.petri, '2d')
  const [{ id, attempts }] = (await first.petri.get('/_petri/webhooks/messages')).body.data
  const resent = first.petri.post(`/_petri/webhooks/messages/${id}/resend`)
  expect((await resent).body.status).toBe('pending')
  await first.petri.close()
  const second = await start(500)
  await advance(second.petri, '2d')
  const [message] = (await second.petri.get('/_petri/webhooks/messages')).body.data
  expect(message.status).toBe('failed')
  expect(first.received.length + second.received.length).toBe(attempts.length + 1)
})
