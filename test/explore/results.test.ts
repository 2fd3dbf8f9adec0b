import { expect, it, vi } from 'vitest'
import { startPetri } from '../../src/index.ts'
import { judgeInvariants } from '../../src/tools/explore/checks.ts'
import { serveHost } from '../support/served.ts'

it('compares results as a list of slugs and values, or as an object by slug', { tags: 'slow' }, async () => {
  // The program listens on this machine.
  vi.unstubAllGlobals()
  let shown: unknown
  const program = await serveHost(() => Response.json({ results: shown }))
  const petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
  const { id } = await petri.orders.place()
  await petri.orders.setResults(id, { values: { glucose: 91 } })
  const order = await petri.orders.reach(id, 'completed')
  const invariant = { url: `${program}/{order_id}`, equals: 'results', at: 'results' } as const
  const judgeResults = judgeInvariants([invariant], petri)
  const played = { orders: [order], userIds: [] } as unknown as Parameters<typeof judgeResults>[0]
  const { results } = await petri.call<{ results: readonly { slug: string; value: number }[] }>(
    'GET',
    `/v3/order/${id}/result`,
  )
  const bySlug = Object.fromEntries(results.map(({ slug, value }) => [slug, value]))
  for (const right of [results.map(({ slug, value }) => ({ value, slug })).reverse(), bySlug]) {
    shown = right
    expect(await judgeResults(played)).toBeUndefined()
  }
  shown = { ...bySlug, glucose: 92 }
  expect(await judgeResults(played)).toMatchObject({ oracle: 'check', actual: shown })
  await petri.close()
})
