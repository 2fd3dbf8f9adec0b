import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { connections } from '../../src/resources/connections/table.ts'
import { field } from '../support/field.ts'
import { connectDemo, createUser } from '../support/orders.ts'
import { forEachTest, START, startTestWorld } from '../support/petri.ts'
import { advance, told, toldOf } from '../support/wearables.ts'

// The feed scenarios of the gallery that bend the life of a connection.

const petri = forEachTest(() => startTestWorld({ world: { history: '3d' } }))
let user: string
beforeEach(async () => {
  user = await createUser(petri)
})

/** Connects Fitbit with the user's consent, not as a demo. */
const follow = async (scenario: string) => {
  await petri.get(`/_petri/scenarios/${scenario}`)
  connect(petri.world(), user, 'fitbit', { scenario })
}
const nights = async () =>
  (await petri.read(`/v2/summary/sleep/${user}?start_date=2025-12-20`)).sleep.map(field('id'))
const statusOf = async () => (await petri.read(`/v2/user/providers/${user}`)).providers.map(field('status'))
const announced = () => toldOf(petri, 'historical.data.heartrate.created').length

describe('a feed scenario of the gallery', () => {
  it('slow-history keeps the history back until its pulls have ended', async () => {
    await follow('slow-history')
    await advance(petri, 2 * HOUR_MS - 1)
    expect([await nights(), toldOf(petri, 'historical.data.sleep.created')]).toEqual([[], []])
    await advance(petri, 1)
    expect(await nights()).not.toEqual([])
    expect(announced()).toBe(0)
    await advance(petri, 4 * HOUR_MS)
    expect(announced()).toBe(1)
  })

  it.each(['fitbit', 'garmin'])(
    'that takes five hours ends the history of %s then',
    {
      tags: 'slow',
    },
    async (provider) => {
      const steps = [{ after: '0s', history: { takes: '5h' } }]
      await petri.put('/_petri/scenarios/mine', {
        name: 'mine',
        summary: 'Slow.',
        kind: 'feed',
        steps,
      })
      const world = petri.world()
      const id = connections.idOf(connect(world, user, provider, { scenario: 'mine' }))
      const arrived = () => (world.db.get(connections, id).periods[0]?.arrivals ?? []).map(field('at'))
      await advance(petri, 5 * HOUR_MS - MINUTE_MS)
      const before = arrived()
      expect([
        before.length > 1,
        announced(),
        world.agenda.find('connections.backfill', id) !== undefined,
      ]).toEqual([true, provider === 'garmin' ? 1 : 0, true])
      await advance(petri, MINUTE_MS)
      expect([arrived(), announced(), world.agenda.find('connections.backfill', id) !== undefined]).toEqual([
        [...before, START + 5 * HOUR_MS],
        1,
        false,
      ])
    },
  )

  it('history-by-daily-events lets any provider live as Garmin does', { tags: 'slow' }, async () => {
    await follow('history-by-daily-events')
    await advance(petri, 0)
    expect([announced(), await nights()]).toEqual([1, []])
    await advance(petri, 6 * HOUR_MS)
    const sent = toldOf(petri, 'daily.data.sleep.created').map(({ data }) => data.id)
    expect(sent.length).toBeGreaterThan(2)
    expect(sent.toSorted()).toEqual((await nights()).toSorted())
  })

  it('revoked-during-history leaves out what had not come', async () => {
    await follow('revoked-during-history')
    await advance(petri, DAY_MS)
    expect(await statusOf()).toEqual(['error'])
    expect(await nights()).not.toEqual([])
    expect([announced(), toldOf(petri, 'provider.connection.error').length]).toEqual([0, 1])
  })

  it.each([
    ['token-expired-and-renewed', 'error', 1],
    ['consent-again', 'connected', 0],
    ['disconnected-and-back', undefined, 0],
  ])(
    '%s announces the history a second time, of the same nights',
    { tags: 'slow' },
    async (scenario, meanwhile, errors) => {
      await follow(scenario)
      await advance(petri, DAY_MS + HOUR_MS)
      const before = await nights()
      expect(await statusOf()).toEqual(meanwhile === undefined ? [] : [meanwhile])
      expect(announced()).toBe(1)
      await advance(petri, 4 * DAY_MS)
      expect(await statusOf()).toEqual(['connected'])
      expect([announced(), toldOf(petri, 'provider.connection.created').length]).toEqual([2, 2])
      expect(toldOf(petri, 'provider.connection.error')).toHaveLength(errors)
      const after = await nights()
      expect(new Set(after).size).toBe(after.length)
      expect(after).toEqual(expect.arrayContaining(before))
    },
  )

  it('paused-without-event pauses, which no event says', { tags: 'slow' }, async () => {
    await follow('paused-without-event')
    await advance(petri, 2 * DAY_MS)
    const before = told(petri).length
    await advance(petri, DAY_MS)
    expect(await statusOf()).toEqual(['paused'])
    expect(told(petri)).toHaveLength(before)
  })

  it('bends the life of a demo connection too', { tags: 'slow' }, async () => {
    const path = `/_petri/users/${user}/feed`
    await petri.put(path, { scenario: 'consent-again' })
    await connectDemo(petri, user, 'oura')
    await advance(petri, 2 * DAY_MS + 5 * MINUTE_MS)
    expect(announced()).toBe(2)
  })
})
