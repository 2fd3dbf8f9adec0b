import { beforeEach, describe, expect, it } from 'vitest'
import { startPetri } from '../../src/index.ts'

const userId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('adopt_users', () => {
  let petri: Awaited<ReturnType<typeof startPetri>>
  beforeEach(async () => {
    petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
  })

  it('is off at first: an unknown user is not found', async () => {
    expect(await petri.fetch(`/v2/user/${userId}`)).toAnswer(404)
    expect((await petri.describe()).counts).toMatchObject({ users: 0 })
  })

  it('creates a user when a call names it first, and says so in the journal', async () => {
    await petri.set({ features: { adopt_users: true } })
    const user = await petri.users.get(userId)
    expect(user).toMatchObject({ user_id: userId, client_user_id: `adopted-${userId}` })
    expect(await petri.users.get(userId)).toEqual(user)
    const [first, second] = await petri.requests.list()
    expect(await petri.requests.get(first?.id ?? '')).toMatchObject({ adopted_users: [userId] })
    expect(await petri.requests.get(second?.id ?? '')).toMatchObject({ adopted_users: [] })
  })

  it('lets an order name it', async () => {
    await petri.set({ features: { adopt_users: true } })
    expect(await petri.orders.place({ user_id: userId })).toMatchObject({ user_id: userId })
  })

  it('does not bring back a deleted user, and does not take what is no id', async () => {
    await petri.set({ features: { adopt_users: true } })
    await petri.users.get(userId)
    await petri.fetch(`/v2/user/${userId}`, { method: 'DELETE' })
    expect(await petri.fetch(`/v2/user/${userId}`)).toAnswer(404)
    expect(await petri.fetch('/v2/user/none')).toAnswer(422)
    expect((await petri.describe()).counts).toMatchObject({ users: 0 })
  })
})
