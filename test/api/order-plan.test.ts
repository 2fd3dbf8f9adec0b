import { describe, expect, it } from 'vitest'
import { moveOrder, readDetails } from '../support/orders.ts'
import { forAllTests } from '../support/petri.ts'
import { sampled } from '../support/rounds.ts'
import { placeFor, scenarioNames } from '../support/scenarios.ts'

const petri = forAllTests()

/** The most steps a scenario takes. */
const MAX_STEPS = 40

describe('an order followed to its end', () => {
  it.each(sampled(scenarioNames()))(
    'comes through %s as planned, and its legal moves are those a refusal names',
    { tags: 'slow' },
    async (name) => {
      const { id, help } = await placeFor(petri, name)
      for (let step = 0; step < MAX_STEPS; step++) {
        const life = await readDetails(petri, id)
        const refused = await moveOrder(petri, id, 'ordered')
        expect([refused.status, refused.body.legal]).toEqual([409, life.legal])
        const [next] = life.planned
        const due = life.agenda[0]?.due
        if (due) {
          await petri.post('/_petri/clock/advance', { to: due })
          const fresh = (await readDetails(petri, id)).order.events.slice(life.order.events.length)
          if (next?.due && Date.parse(next.due) <= Date.parse(due)) {
            expect(fresh[0]).toMatchObject({ status: next.status, status_detail: next.status_detail })
            expect(Date.parse(fresh[0].created_at)).toBe(Date.parse(next.due))
          }
        } else if (!(await help(next?.waits_for))) return
      }
      throw new Error(`${name} has no end`)
    },
  )
})
