import { startPetri } from 'petri-sandbox'
import { expect, test, vi } from 'vitest'

test('works where a test fakes all timers', async () => {
  vi.useFakeTimers()
  try {
    const petri = await startPetri({ port: 0, now: '2026-01-05T09:00:00Z' })
    await petri.orders.place({ scenario: 'happy-path' })
    expect((await petri.clock.advance('5d')).effects.length).toBeGreaterThan(2)
    expect((await fetch(`${petri.url}/_petri/health`)).status).toBe(200)
    await petri.close()
  } finally {
    vi.useRealTimers()
  }
})
