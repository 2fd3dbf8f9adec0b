import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startPetri } from '../../src/index.ts'

const newUser = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: 'ada' }),
}

describe('startPetri', () => {
  // One of these tests asks a server of its own on this machine.
  beforeEach(() => void vi.unstubAllGlobals())

  it('answers without a socket, with its own key unless given another', async () => {
    const petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
    expect(petri.url).toBeUndefined()
    const created = await petri.fetch('/v2/user', newUser)
    expect(await created.json()).toMatchObject({ created_on: '2026-01-05T09:00:00+00:00' })
    const stranger = await petri.fetch('/v2/user', { headers: { 'x-vital-api-key': 'sk_us_other' } })
    expect(stranger.status).toBe(401)
    await petri.close()
  })

  it('answers at a port when asked to, and shares nothing with another', async () => {
    const [one, two] = await Promise.all([startPetri({ port: 0 }), startPetri({ port: 0 })])
    await one.fetch('/v2/user', newUser)
    const totalAt = async ({ url, apiKey }: typeof one) => {
      const answer = await fetch(`${url}/v2/user`, { headers: { 'x-service-api-key': apiKey } })
      return ((await answer.json()) as { total: number }).total
    }
    expect([await totalAt(one), await totalAt(two)]).toEqual([1, 0])
    await Promise.all([one.close(), two.close()])
  })

  it('refuses an instant that is none', async () => {
    await expect(startPetri({ now: 'soon' })).rejects.toThrow('now should be an ISO 8601 date or instant')
  })
})
