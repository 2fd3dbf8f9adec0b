import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { summaryResources } from '../../src/resources/summaries/service.ts'
import { changeUser, connectDemo, postUser } from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'
import { advance, told } from '../support/wearables.ts'

/** What the moment of a call or of a delivery decides. */
const withoutStamps = ({ created_at, updated_at, ...row }: Record<string, unknown>) => row

it.each([
  ['oura', 24],
  ['fitbit', 12],
])(
  'a summary of %s is read as it was announced last, whenever the bounds of ingestion change',
  {
    tags: 'slow',
  },
  async (provider, changes) => {
    const petri = await startTestWorld()
    const users: string[] = []
    for (let nth = 0; nth < changes; nth++) {
      const { user_id } = (await postUser(petri, `user ${nth}`)).body
      await connectDemo(petri, user_id, provider)
      users.push(user_id)
    }
    await advance(petri, 2 * DAY_MS)
    for (const user of users) {
      await changeUser(petri, user, { ingestion_end: '2026-01-01' })
      await advance(petri, (24 / changes) * HOUR_MS)
    }
    await advance(petri, 2 * DAY_MS)
    const announced = new Map<string, Record<string, unknown>>()
    for (const { event_type, data } of told(petri))
      if (event_type.startsWith('daily.data.') && 'calendar_date' in data) announced.set(data.id, data)
    const compared = new Set<string>()
    for (const user of users)
      for (const resource of summaryResources) {
        const { status, body } = await petri.get(`/v2/summary/${resource}/${user}?start_date=2026-01-05`)
        for (const row of (status === 200 && body[resource]) || []) {
          const last = announced.get(row.id)
          if (!last) continue
          compared.add(resource)
          expect(withoutStamps(row), `${resource} of ${row.calendar_date}`).toEqual(withoutStamps(last))
        }
      }
    expect([...compared]).toEqual(expect.arrayContaining(['sleep', 'activity', 'workouts']))
  },
)
