import { describe, expect, it } from 'vitest'
import { EventLog } from '../../src/webhooks/log.ts'
import { type Message, messages } from '../../src/webhooks/table.ts'
import { events } from '../../src/world/events.ts'
import { startTestWorld } from '../support/petri.ts'

async function openLog(maxEvents: number) {
  const { world: current } = await startTestWorld()
  const world = current()
  const log = new EventLog(world, maxEvents)
  const message = (event_id: string, id = event_id): Message => ({
    id,
    event_id,
    event_type: 'a.b',
    user_id: null,
    endpoint_id: 'ep_1',
    created_at: 0,
    status: 'pending',
    attempts: [],
    marks: [],
  })
  const open = (id: string, targets = 1, payload: object = {}) => {
    world.db.put(events, { id, event_type: 'a.b', at: 0, user_id: null, payload })
    for (let ordinal = 1; ordinal <= targets; ordinal++) {
      log.put(message(id, ordinal === 1 ? id : `${id}~${ordinal}`), undefined)
    }
    log.opened(id)
  }
  const deliver = (id: string) => {
    const before = world.db.get(messages, id)
    log.change({ ...before, status: 'delivered' }, before)
  }
  return { world, open, deliver }
}

describe('the log of events', () => {
  it('drops the longest settled with all their messages, and never one with a message pending', async () => {
    const { world, open, deliver } = await openLog(2)
    open('a')
    open('b', 2)
    for (const id of ['c', 'd', 'e']) open(id)
    for (const id of ['b', 'c', 'b~2', 'd']) {
      expect(world.db.ids(events)).toEqual(['a', 'b', 'c', 'd', 'e'])
      deliver(id)
    }
    expect(world.db.ids(events)).toEqual(['a', 'b', 'd', 'e'])
    expect(world.db.ids(messages)).toEqual(['a', 'b', 'b~2', 'd', 'e'])
    deliver('e')
    expect(world.db.ids(events)).toEqual(['a', 'd', 'e'])
    expect(world.db.ids(messages)).toEqual(['a', 'd', 'e'])
  })

  it('is bounded by bytes as well', { tags: 'slow' }, async () => {
    const { world, open } = await openLog(1000)
    const payload = { big: 'x'.repeat(1024 * 1024) }
    for (let n = 0; n < 40; n++) open(`m${n}`, 0, payload)
    expect(world.db.ids(events)).toHaveLength(15)
    expect(world.db.ids(events).at(-1)).toBe('m39')
  })
})
