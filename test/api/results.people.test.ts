import { expect, it } from 'vitest'
import { findingsOf } from '../../src/resources/personas/service.ts'
import { createUser } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { completedOrder, LIPIDS, METABOLIC, reportOf } from '../support/quest-reports.ts'

it('a patient keeps their levels from order to order', async () => {
  const petri = await startTestWorld()
  const levelsOf = async (user: string) => {
    const id = await completedOrder(petri, [METABOLIC, LIPIDS], {
      user,
      results: { interpretation: 'normal' },
    })
    return (await reportOf(petri, id)).values
  }
  const creatinines = new Set<number>()
  for (const name of ['one', 'two', 'three', 'four']) {
    const user = await createUser(petri, name)
    const first = await levelsOf(user)
    const second = await levelsOf(user)
    for (const [slug, share] of [
      ['creatinine', 0.2],
      ['hdl-cholesterol', 0.3],
    ] as const) {
      const [a = 0, b = 0] = [first[slug], second[slug]]
      expect(Math.abs(a - b) / Math.max(a, b), slug).toBeLessThan(share)
    }
    creatinines.add(first.creatinine ?? 0)
  }
  expect(creatinines.size).toBeGreaterThan(2)
})

it('what was found is part of the state of a world', async () => {
  const petri = await startTestWorld()
  const user = await createUser(petri, 'one')
  await completedOrder(petri, [METABOLIC], { user, results: { interpretation: 'critical' } })
  const found = findingsOf(petri.world(), user)
  expect(found).toHaveLength(1)
  const body = await petri.read('/_petri/state')
  await petri.post('/_petri/reset')
  expect(findingsOf(petri.world(), user)).toEqual([])
  expect((await petri.put('/_petri/state', body)).status).toBeLessThan(300)
  expect(findingsOf(petri.world(), user)).toEqual(found)
})
