import { beforeEach, describe, expect, it } from 'vitest'
import { currentValues, findReport } from '../../src/resources/results/service.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { FERRITIN, LIPIDS, orderMarkers, report, storedOrder } from '../support/quest-reports.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const routes = ['result', 'result/metadata'] as const
const nobody = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11'

describe('the results of an order', () => {
  it.each(routes)('that has none yet are not found: %s', async (route) => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(await petri.get(`/v3/order/${id}/${route}`)).toMatchObject({
      status: 404,
      body: {
        detail: `Results are not available for order - ${id}. Did you receive a webhook for this order?`,
      },
    })
  })

  it.each(routes)('that is not there are not found: %s', async (route) => {
    expect(await petri.get(`/v3/order/${nobody}/${route}`)).toMatchObject({
      status: 404,
      body: { detail: 'Order not found' },
    })
  })

  it('have their metadata on a route of its own', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    await report(petri, id, 'completed')
    const { body } = await petri.get(`/v3/order/${id}/result`)
    expect((await petri.get(`/v3/order/${id}/result/metadata`)).body).toEqual(body.metadata)
  })
})

describe('the current values of an order', () => {
  it('are none before the first report', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    expect(currentValues(petri.world(), storedOrder(petri, id))).toEqual({ values: new Map(), missing: [] })
  })

  it('are those of its lines, and the names of what is missing', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    await report(petri, id, 'completed', { values: { ferritin: 7 }, missing: ['triglycerides'] })
    const { values, missing } = currentValues(petri.world(), storedOrder(petri, id))
    const lines = (await petri.get(`/v3/order/${id}/result`)).body.results as {
      slug: string
      value: number
    }[]
    expect(values.get('ferritin')).toBe(7)
    expect(missing).toContain('triglycerides')
    expect(values.size).toBe(lines.length)
    for (const { slug, value } of lines) if (values.has(slug)) expect(values.get(slug)).toBe(value)
  })
})

describe('the lines of a report', () => {
  const firstLine = (id: string) => findReport(petri.world(), storedOrder(petri, id))?.results[0]

  it('are kept while nothing of the order changes, and made anew when it does', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    await report(petri, id, 'completed', { values: { ferritin: 7 } })
    const line = firstLine(id)
    expect(firstLine(id)).toBe(line)
    await petri.call('PUT', `/_petri/orders/${id}/results`, { values: { ferritin: 8 } })
    expect(firstLine(id)).toMatchObject({ value: 8 })
  })
})
