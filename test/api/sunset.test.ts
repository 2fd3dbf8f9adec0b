import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { createUser, moveOrder, orderBy, readResult, setFeatures } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { advance, wearer } from '../support/wearables.ts'

const petri = forEachTest()

const setSunset = (sunset: string) => setFeatures(petri, { sunset })
const day = 'start_date=2026-01-05&end_date=2026-01-06'

describe('an operation whose end is announced', () => {
  const paths = async () => {
    const user = await createUser(petri)
    return {
      ending: [
        `/v2/timeseries/${user}/steps?${day}`,
        `/v2/timeseries/${user}/hypnogram/grouped?${day}`,
        '/v3/lab_tests',
      ],
      staying: [`/v2/timeseries/${user}/steps/grouped?${day}`, '/v3/lab_test'],
    }
  }
  const answers = async (list: readonly string[]) => {
    const all = []
    for (const path of list) {
      const { status, headers } = await petri.get(path)
      all.push([status, headers.get('deprecation'), headers.get('sunset')])
    }
    return all
  }

  it('carries no sign of it by default', async () => {
    const { ending } = await paths()
    expect(await answers(ending)).toEqual(ending.map(() => [200, null, null]))
  })

  it('is answered with its end, or with 410, where the world asks for that', async () => {
    const { ending, staying } = await paths()
    const autumn = ['@1789344000', 'Mon, 14 Sep 2026 00:00:00 GMT']
    const october = ['@1790812800', 'Thu, 01 Oct 2026 00:00:00 GMT']
    await setSunset('warn')
    expect(await answers(ending)).toEqual([autumn, autumn, october].map((ends) => [200, ...ends]))
    await setSunset('enforce')
    expect(await answers(ending)).toEqual([autumn, autumn, october].map((ends) => [410, ...ends]))
    expect(await petri.read('/v3/lab_tests')).toEqual({ detail: 'This operation ended on 2026-10-01.' })
    expect(await answers(staying)).toEqual(staying.map(() => [200, null, null]))
  })
})

describe('parameters and fields that are marked deprecated', () => {
  const grouped = async () => {
    const user = await wearer(petri)
    await advance(petri, HOUR_MS)
    return `/v2/timeseries/${user}/steps/grouped?start_date=2026-01-04`
  }

  it('are told by the headers, or refused, when a call uses them', async () => {
    const path = await grouped()
    const { next_cursor } = await petri.read(path)
    const asked = `${path}&cursor=${next_cursor}`
    expect((await petri.get(asked)).headers.get('sunset')).toBeNull()
    await setSunset('warn')
    expect((await petri.get(path)).headers.get('sunset')).toBeNull()
    const warned = await petri.get(asked)
    expect([warned.status, warned.headers.get('sunset')]).toEqual([200, 'Mon, 14 Sep 2026 00:00:00 GMT'])
    await setSunset('enforce')
    expect(await petri.get(asked)).toRefuse(410, 'This parameter, cursor, ended on 2026-09-14.')
  })

  it('are left out of answers where the world asks for that and the contract allows it', async () => {
    const path = await grouped()
    const before = await petri.read(path)
    const { fitbit } = before.groups
    await setSunset('enforce')
    const { next, ...rest } = before
    const { name, slug, logo, ...source } = fitbit[0].source
    expect([next, slug]).toEqual([rest.next_cursor, 'fitbit'])
    expect(await petri.read(path)).toEqual({ ...rest, groups: { fitbit: [{ ...fitbit[0], source }] } })
    const user = path.split('/')[3]
    const { activity } = await petri.read(`/v2/summary/activity/${user}?${day}`)
    expect(activity[0]).toMatchObject({ date: expect.any(String), distance: expect.any(Number) })
    expect(activity[0]).not.toHaveProperty('daily_movement')
  })

  it('leave lists of any shape as they are', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, order.id, 'completed', { force: true })
    const before = (await readResult(petri, order.id)).results
    expect(before).toEqual(expect.any(Array))
    await setSunset('enforce')
    expect((await readResult(petri, order.id)).results).toEqual(before)
  })
})
