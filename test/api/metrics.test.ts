import { expect, it } from 'vitest'
import { nextTurn } from '../../src/kernel/pause.ts'
import { advance, orderForPatient } from '../support/orders.ts'
import { fromAddress, START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'

const scrape = (petri: TestPetri, headers: Record<string, string> = {}, address = '127.0.0.1') =>
  petri.petri.app.request('/_petri/metrics', { headers }, fromAddress(address))

/** The samples of a text in Prometheus' format. Throws for a line that is none, or that has no HELP and TYPE above it. */
function samplesOf(text: string): Record<string, number> {
  expect(text.endsWith('\n')).toBe(true)
  const samples: Record<string, number> = {}
  const described = new Map<string, string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const comment = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line)
    if (comment) {
      described.set(`${comment[1]} ${comment[2]}`, comment[3] ?? '')
      continue
    }
    const [, name = '', labels = '', value] =
      /^([a-z_]+)(\{\w+="\w+"(?:,\w+="\w+")*\})? (\S+)$/.exec(line) ?? []
    expect(described.get(`HELP ${name}`), line).toBeDefined()
    expect(described.get(`TYPE ${name}`), line).toMatch(/^(counter|gauge)$/)
    samples[name + labels] = Number(value)
  }
  return samples
}

const metricsOf = async (petri: TestPetri) => samplesOf(await (await scrape(petri)).text())

it("shows worlds, orders, messages, calls, lag and heap in Prometheus' text format", {
  tags: 'slow',
}, async () => {
  let isDown = false
  const { petri } = await startHeardPetri(() => (isDown ? 500 : 200))
  expect(await metricsOf(petri)).toMatchObject({ petri_worlds: 1, petri_orders: 0, petri_events_pending: 0 })
  isDown = true
  await orderForPatient(petri)
  await advance(petri, '1s')
  await petri.get('/v3/ordres')
  await petri.get('/_petri/clock')
  await petri.post('/_petri/worlds', {})
  const { status, headers } = await scrape(petri)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const metrics = await metricsOf(petri)
  expect(metrics).toMatchObject({
    petri_worlds: 2,
    petri_worlds_in_memory: 2,
    petri_orders: 1,
    petri_clock_lag_seconds: 0,
    'petri_calls_total{api="service",status="200"}': 3,
    'petri_calls_total{api="service",status="404"}': 1,
    'petri_calls_total{api="control",status="201"}': 1,
  })
  expect(metrics.petri_events_pending).toBeGreaterThan(0)
  expect(metrics.petri_events_failed).toBe(metrics.petri_events_pending)
  expect(metrics.nodejs_heap_size_used_bytes).toBeGreaterThan(1_000_000)
  expect(metrics.petri_heap_used_ratio).toBeLessThan(1)
  await advance(petri, '30d')
  expect(await metricsOf(petri)).toMatchObject({ petri_events_pending: 0 })
  await petri.close()
})

it('shows how late the earliest job is', async () => {
  const clock = { now: START }
  const petri = await startTestPetri({ wall: () => clock.now, world: { frozen: false, now: null, pace: 1 } })
  await orderForPatient(petri)
  const nextDue = () => petri.world().agenda.nextDue() as number
  // What is due now runs some turns after the replies.
  for (let turn = 0; turn < 10 || nextDue() === START; turn++) await nextTurn()
  const due = nextDue()
  clock.now = due
  expect(await metricsOf(petri)).toMatchObject({ petri_clock_lag_seconds: 0 })
  clock.now = due + 2500
  expect(await metricsOf(petri)).toMatchObject({ petri_clock_lag_seconds: 2.5 })
  await petri.close()
})

it('needs the control token if there is one, and otherwise a caller on this machine', async () => {
  const open = await startTestPetri()
  const guarded = await startTestPetri({ controlToken: 'secret' })
  expect(await scrape(open, {}, '10.0.0.7')).toAnswer(403)
  expect(await scrape(guarded)).toAnswer(401)
  expect(await scrape(guarded, { authorization: 'Bearer secret' }, '10.0.0.7')).toAnswer(200)
  await Promise.all([open.close(), guarded.close()])
})
