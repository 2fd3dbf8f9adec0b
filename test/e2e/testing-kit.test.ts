import { spawnSync } from 'node:child_process'
import { Webhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { connectToPetri, matchers, type PetriWorld, startPetri } from '../../src/index.ts'
import { openNetwork } from '../support/open-network.ts'

expect.extend(matchers)
declare module 'vitest' {
  interface Matchers<T> {
    toHaveVisited(statuses: readonly string[]): T
  }
}

openNetwork()

// Fifty worlds live their orders at once.
describe('fifty test files at once', { timeout: 60_000 }, () => {
  const scenarios = ['happy-path', 'problem-in-transit-customer', 'lost-on-the-way-out', 'critical-result']

  /** What a test file does: a world, a receiver, a kit's whole life. */
  async function live(world: PetriWorld, nth: number) {
    const verifier = new Webhook(world.webhookSecret)
    const heard: { event_type: string; user_id: string }[] = []
    await world.webhooks.deliverTo(async (request) => {
      heard.push(verifier.verify(await request.text(), Object.fromEntries(request.headers)) as never)
    })
    const { user_id } = await world.users.create(`user-${nth}`)
    const { id } = await world.orders.place({
      user_id,
      scenario: scenarios[nth % scenarios.length] ?? '',
    })
    await world.clock.advance({ until: 'idle' })
    const order = await world.orders.get(id)
    const { counts } = await world.describe()
    return { nth, user_id, order, heard, counts }
  }

  it.each(['in this process', 'over sockets'])(
    'share one Petri %s, and never meet',
    { tags: 'slow' },
    async (where) => {
      const server = await startPetri()
      const petri = where === 'over sockets' ? await connectToPetri({ url: server.url }) : server
      const lives = await Promise.all(
        Array.from({ length: 50 }, async (_, nth) => live(await petri.world({ seed: `file-${nth}` }), nth)),
      )
      for (const { nth, user_id, order, heard, counts } of lives) {
        const last = scenarios[nth % scenarios.length] === 'lost-on-the-way-out' ? 'lost' : 'completed'
        expect(order).toHaveVisited(['ordered', 'transit_customer', last])
        expect(counts).toMatchObject({ users: 1, orders: 1, messages: heard.length })
        expect(heard.length).toBeGreaterThanOrEqual(order.events.length)
        expect(new Set(heard.map((event) => event.user_id))).toEqual(new Set([user_id]))
      }
      await petri.close()
      await server.close()
    },
  )
})

it('makes fixtures that name ids, and results with exact values', { tags: 'slow' }, async () => {
  const petri = await startPetri()
  const userId = '00000000-0000-0000-0000-000000000001'
  const id = '00000000-0000-0000-0000-000000000002'
  const labTestId = '00000000-0000-0000-0000-000000000003'
  const { user_id } = await petri.users.create({ user_id: userId, client_user_id: 'grace' })
  const { id: made } = await petri.labTests.create({
    id: labTestId,
    name: 'Iron',
    description: 'Ferritin alone.',
    method: 'walk_in_test',
    provider_ids: ['457'],
    lab_slug: 'quest',
  })
  const { sex, birth_date } = await petri.call<{ sex: string; birth_date: string }>(
    'GET',
    `/_petri/users/${userId}/truth`,
  )
  const order = await petri.orders.place({
    id,
    user_id: userId,
    lab_test_id: labTestId,
    scenario: 'walk-in-happy-path',
  })
  const patient = { gender: sex, dob: `${birth_date}T00:00:00+00:00` }
  expect(order.patient_details).toMatchObject(patient)
  expect((await petri.orders.place({ user_id })).patient_details).toMatchObject(patient)
  expect([user_id, made, order.id]).toEqual([userId, labTestId, id])
  expect(await petri.orders.setResults(id, { values: { ferritin: 7 } })).toMatchObject({ applied: false })
  await petri.clock.advance({ until: 'idle' })
  const { results } = await petri.call<{ results: object[] }>('GET', `/v3/order/${id}/result`)
  expect(results).toMatchObject([{ slug: 'ferritin', value: 7, interpretation: 'abnormal' }])
  await expect(petri.users.create({ userId: 'x' } as never)).rejects.toThrow('user_id')
  await petri.close()
})

// Only the built Petri reads a PDF in a process of its own that nothing else keeps running.
it('closes before the program goes on, after it has read a report', { tags: 'slow' }, () => {
  const program = `
    const { startPetri } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)})
    const petri = await startPetri()
    const { id, user_id } = await petri.orders.place({ scenario: 'happy-path' })
    await petri.clock.advance({ until: 'idle' })
    const pdf = await petri.fetch(\`/v3/order/\${id}/result/pdf\`)
    const body = new FormData()
    body.append('file', await pdf.blob(), 'report.pdf')
    body.append('user_id', user_id)
    const { status } = await petri.fetch('/lab_report/v1/parser/job', { method: 'POST', body })
    await petri.clock.advance({ until: 'idle' })
    await petri.close()
    console.log(status, 'closed')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({ stdout: '200 closed\n', stderr: '' })
})
