import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestPetri()
})
afterEach(() => petri.close())

const setSunset = (sunset: string) => petri.call('PATCH', '/_petri/world', { features: { sunset } })
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
    expect((await petri.get('/v3/lab_tests')).body).toEqual({ detail: 'This operation ended on 2026-10-01.' })
    expect(await answers(staying)).toEqual(staying.map(() => [200, null, null]))
  })
})
