import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import type { WorldFolder } from '../../src/storage/store.ts'
import { listEndpoints } from '../../src/webhooks/endpoints.ts'
import { messages } from '../../src/webhooks/table.ts'
import { field } from '../support/field.ts'
import { keepingFolder } from '../support/keeping-folder.ts'
import { makeFolder } from '../support/new-folder.ts'
import type { TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'

/** A Petri whose endpoint answers a status, over the same folder each time. */
function restartable(folder: WorldFolder = keepingFolder()) {
  return async (status: number) => {
    const { petri, receiver } = await startHeardPetri(() => status, { folder })
    await petri.world().agenda.settled()
    return { petri, received: receiver.received }
  }
}

const emit = async ({ petri }: { petri: TestPetri }) => {
  petri.world().emit('a.b', { userId: null, clientUserId: null }, {})
  await petri.world().agenda.settled()
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
  await first.petri.put('/_petri/webhooks/faults', { burst: 2 })
  await emit(first)
  await first.petri.close()
  const second = await start(200)
  const { effects } = (await advance(second.petri, '1d')).body
  expect(effects.map(field('kind'))).not.toContain('delivery_held')
  expect(second.received).toHaveLength(0)
  await emit(second)
  expect(second.received).toHaveLength(2)
})

it('a failed message with a pending resend is resent once after a restart, and fails again', async () => {
  const start = restartable()
  const first = await start(500)
  await emit(first)
  await advance(first.petri, '2d')
  const [{ id, attempts }] = (await first.petri.get('/_petri/webhooks/messages')).body.data
  const resent = first.petri.post('/_petri/webhooks/resend', { message_id: id })
  expect((await resent).body.resent).toBe(1)
  await first.petri.close()
  const second = await start(500)
  await advance(second.petri, '2d')
  const [message] = (await second.petri.get('/_petri/webhooks/messages')).body.data
  expect(message.status).toBe('failed')
  expect(first.received.length + second.received.length).toBe(attempts.length + 1)
})

describe('an endpoint with many messages', () => {
  const root = makeFolder('petri-give-up-')
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(root, { recursive: true, force: true })
  })
  const open = async (name: string) =>
    restartable(await fileFolder(join(root, name), { warn: (text) => expect.fail(text) }))(500)
  const logOf = ({ petri }: { petri: TestPetri }) => [...petri.world().db.all(messages)]

  it.each([
    ['PATCH', 'endpoint_disabled', {}],
    ['DELETE', 'endpoint_removed', {}],
    ['PATCH', 'endpoint_disabled', { burst: 20 }],
  ])(
    'gives them up in slices, also over a restart: %s, %s, %o',
    { tags: 'slow' },
    async (method, mark, delivery) => {
      const first = await open('first')
      await first.petri.put('/_petri/webhooks/faults', delivery)
      for (let nth = 0; nth < 9; nth++) await emit(first)
      const [{ id } = expect.fail()] = listEndpoints(first.petri.world())
      const pending: number[] = []
      makeStepsSlow()
      const call = first.petri.call(method, `/_petri/webhooks/endpoints/${id}`, { disabled: true })
      await countTurns(call, async () => {
        cpSync(join(root, 'first'), join(root, `image-${pending.length}`), { recursive: true })
        pending.push(logOf(first).filter(({ status }) => status === 'pending').length)
      })
      vi.restoreAllMocks()
      const log = logOf(first)
      await first.petri.close()
      expect(log.map(({ status, marks }) => [status, marks])).toEqual(Array(9).fill(['failed', [mark]]))
      expect(pending).toEqual(expect.arrayContaining([8, 5, 1]))
      let begun = 0
      for (const nth of pending.keys()) {
        rmSync(join(root, `image-${nth}`, 'petri.lock'), { force: true })
        const image = await open(`image-${nth}`)
        const endpoint = listEndpoints(image.petri.world()).find((known) => known.id === id)
        if (endpoint?.disabled !== false) {
          begun++
          expect(logOf(image)).toEqual(log)
          expect((await image.petri.get('/_petri/clock')).body.pending).toBe(0)
        }
        await image.petri.close()
      }
      expect(begun).toBeGreaterThan(5)
    },
  )
})
