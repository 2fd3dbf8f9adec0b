import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { startTestWorld } from '../support/petri.ts'
import { advance, told } from '../support/wearables.ts'

const HOURS = 24

it('a summary that is read is as it was announced last, whenever the bounds of ingestion change', {
  tags: 'slow',
}, async () => {
  const petri = await startTestWorld()
  const users: string[] = []
  for (let hour = 0; hour < HOURS; hour++) {
    const { user_id } = (await petri.post('/v2/user', { client_user_id: `user ${hour}` })).body
    await petri.post('/v2/link/connect/demo', { user_id, provider: 'oura' })
    users.push(user_id)
  }
  await advance(petri, 2 * DAY_MS)
  for (const user of users) {
    await petri.call('PATCH', `/v2/user/${user}`, { ingestion_end: '2026-01-01' })
    await advance(petri, HOUR_MS)
  }
  await advance(petri, 2 * DAY_MS)
  const announced = new Map<string, unknown>()
  for (const { event_type, data } of told(petri))
    if (/^daily\.data\.(sleep|activity)\./.test(event_type)) announced.set(data.id, data)
  const differences: unknown[] = []
  for (const [hour, user] of users.entries())
    for (const resource of ['sleep', 'activity']) {
      const rows = (await petri.get(`/v2/summary/${resource}/${user}?start_date=2026-01-05`)).body[resource]
      for (const row of rows) {
        const last = announced.get(row.id) as Record<string, unknown>
        for (const field of ['state', 'steps', 'total', 'updated_at'])
          if (last && last[field] !== row[field])
            differences.push([hour, resource, field, row.calendar_date, row[field], last[field]])
      }
    }
  expect(announced.size).toBeGreaterThan(24)
  expect(differences).toEqual([])
})
