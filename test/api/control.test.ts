import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { orderForPatient, orderKit } from '../support/orders.ts'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
let wall = START
/** Milliseconds that pass whenever the wall clock is read. */
let tick = 0
beforeEach(async () => {
  wall = START
  tick = 0
  petri = await startTestPetri({ wall: () => (wall += tick) })
})
afterEach(() => petri.close())

const patchClock = (body: unknown) => petri.patch('/_petri/clock', body)
const advance = (body: unknown) => petri.post('/_petri/clock/advance', body)
/** Leaves a job behind that is due in seven days. */
async function deleteUser() {
  const { body } = await petri.post('/v2/user', { client_user_id: 'ada' })
  await petri.delete(`/v2/user/${body.user_id}`)
}

describe('health', () => {
  it('needs no key', async () => {
    expect(await petri.get('/_petri/health', { 'x-service-api-key': '' })).toAnswer(200, {
      status: 'ok',
      version: expect.any(String),
      contract_version: '0.4.687',
    })
  })
})

describe('every control call', () => {
  it('is described, under the tag petri', async () => {
    const body = await petri.read('/openapi.json')
    const control = petri.petri.operations.filter(({ route }) => route.includes('/_petri/'))
    expect(control.length).toBeGreaterThanOrEqual(10)
    for (const { id, route } of control) {
      const [method = '', path = ''] = route.split(' ')
      expect(body.paths[path][method.toLowerCase()]).toMatchObject({ operationId: id, tags: ['petri'] })
    }
  })
})

describe('the clock', () => {
  it('shows its time and the next due job', async () => {
    await deleteUser()
    expect(await petri.read('/_petri/clock')).toEqual({
      now: '2026-01-05T09:00:00.000Z',
      frozen: true,
      advancing: false,
      pace: 8640,
      pending: 1,
      scenario_day: '1 d',
      next_due: '2026-01-12T09:00:00.000Z',
      standing: null,
    })
  })

  it('is moved forward by a patch, which runs due jobs, and never back', async () => {
    await deleteUser()
    expect(await patchClock({ now: '2026-01-12T09:00:00Z' })).toAnswer(200, {
      now: '2026-01-12T09:00:00.000Z',
      pending: 0,
      next_due: null,
    })
    expect(await patchClock({ now: '2026-01-12T08:59:59Z', frozen: false })).toAnswer(400, {
      detail:
        'The clock is at 2026-01-12T09:00:00.000Z and cannot be set back; reset the world or restore a snapshot.',
    })
    expect((await petri.read('/_petri/clock')).frozen).toBe(true)
  })

  it('continues from its time when it is thawed, and stops when it is frozen', async () => {
    await patchClock({ frozen: false })
    wall += 1500
    expect(await petri.read('/_petri/clock')).toMatchObject({
      now: '2026-01-05T09:00:01.500Z',
      frozen: false,
      scenario_day: '10 s',
    })
    await patchClock({ frozen: true })
    wall += 1500
    expect((await petri.read('/_petri/clock')).now).toBe('2026-01-05T09:00:01.500Z')
  })

  it('shows exactly the time at which it is frozen', async () => {
    await patchClock({ frozen: false })
    tick = 1
    const { body } = await patchClock({ now: '2026-01-12T09:00:00Z', frozen: true })
    expect(body.now).toBe('2026-01-12T09:00:00.000Z')
  })

  it('has a pace between 0.01 and 1,000,000', async () => {
    const statuses: number[] = []
    for (const pace of [0.009, 0.01, 1_000_000, 1_000_001]) statuses.push((await patchClock({ pace })).status)
    expect(statuses).toEqual([422, 200, 200, 422])
  })

  it('keeps the true length of simulated waits when pace or freezing changes', async () => {
    petri.world().agenda.schedule({ afterScenarioMs: 86_400_000, kind: 'users.erase', subject: 'x' })
    const due = async (body: object) => (await patchClock(body)).body.next_due
    expect(await due({ frozen: false })).toBe('2026-01-05T09:00:10.000Z')
    expect(await due({ pace: 86_400 })).toBe('2026-01-05T09:00:01.000Z')
    expect(await due({ pace: 1 })).toBe('2026-01-06T09:00:00.000Z')
    expect(await due({ frozen: true, pace: 60 })).toBe('2026-01-06T09:00:00.000Z')
    expect(await due({ frozen: false })).toBe('2026-01-05T09:24:00.000Z')
  })
})

describe('an advance', () => {
  it('takes a duration, an instant, or "until idle"', async () => {
    await deleteUser()
    expect((await advance({ by: '1d12h' })).body).toEqual({
      now: '2026-01-06T21:00:00.000Z',
      effects: [],
      pending: 1,
      next_due: '2026-01-12T09:00:00.000Z',
      summary: [],
    })
    const { agenda } = petri.world()
    vi.spyOn(agenda, 'advanceTo').mockResolvedValueOnce({ effects: [], dropped: 3, stopped: false })
    expect((await advance({ by: '1d' })).body).toMatchObject({ effects_dropped: 3, effects: [] })
    expect((await advance({ to: '2026-01-07' })).body.now).toBe('2026-01-07T00:00:00.000Z')
    expect((await advance({ until: 'idle' })).body).toMatchObject({
      now: '2026-01-12T09:00:00.000Z',
      pending: 0,
      next_due: null,
    })
    for (const body of [{ until: 'next' }, { by: '0s' }])
      expect((await advance(body)).body.now).toBe('2026-01-12T09:00:00.000Z')
    expect((await advance({ to: '9999-12-31T23:59:59Z' })).body.now).toBe('9999-12-31T23:59:59.000Z')
  })

  it('until the next job ends with it, also if that is overdue; until idle covers ten years', async () => {
    const left = async (until: string) => {
      const { now, pending } = (await advance({ until })).body
      return [now, pending]
    }
    const schedule = (due: number) =>
      petri.world().agenda.schedule({ due, kind: 'users.erase', subject: `${due}` })
    schedule(START + 1000)
    expect(await left('next')).toEqual(['2026-01-05T09:00:01.000Z', 0])
    await patchClock({ frozen: false })
    schedule(START + 2000)
    wall += 5000
    expect(await left('next')).toEqual(['2026-01-05T09:00:06.000Z', 0])
    for (const more of [1000, 1001]) schedule(wall + more + 3653 * DAY_MS)
    expect(await left('idle')).toEqual(['2036-01-06T09:00:06.000Z', 1])
  })

  it('until an order has a status ends with it, or says why nothing leads to it', async () => {
    const until = async (order_id: string, to = 'completed') => {
      const { status, body } = await advance({ order_id, status: to })
      return `${status} ${body.detail?.replace(order_id, 'ID') ?? body.now}`
    }
    const lost = await orderForPatient(petri, { scenario: 'lost-on-the-way-out' })
    expect(await until(lost.id, 'transit_customer')).toBe('200 2026-01-06T13:00:00.000Z')
    petri.world().agenda.schedule({ due: START + 60 * DAY_MS, kind: 'users.erase', subject: 'x' })
    expect(await until(lost.id)).toBe(
      '408 Advanced for order ID to be completed.testkit.completed. The order is failed.testkit.lost, which is final. The clock was advanced to 2026-01-18T13:00:00.000Z.',
    )
    const manual = await orderForPatient(petri, { scenario: 'manual' })
    expect(await until(manual.id)).toBe(
      '408 Advanced for order ID to be completed.testkit.completed. Nothing pending leads to this status. The clock was advanced to 2026-03-06T09:00:00.000Z.',
    )
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    expect(await until(kit.id)).toBe(
      '408 Advanced for order ID to be completed.testkit.completed. Nothing pending leads to this status; 1 order waits for registration. The clock was advanced to 2026-03-09T15:00:00.000Z.',
    )
  })

  it.each([
    [{}, 400, 'exactly one of'],
    [{ by: '1d', until: 'idle' }, 400, 'exactly one of'],
    [{ by: '1d', status: 'lost' }, 400, 'exactly one of'],
    [{ to: '2026-01-05T08:00:00Z' }, 400, 'cannot be set back'],
    [{ by: '9000000d' }, 400, 'cannot pass 9999'],
    [{ by: `${'9'.repeat(60)}d` }, 400, 'cannot pass 9999'],
    [{ by: '3 fortnights' }, 422, 'a duration is a text such as'],
    [{ by: 3 }, 422, 'a duration is a text such as'],
    [{ by: '-1d' }, 422, 'a duration is a text such as'],
    [{ to: '2026-02-30' }, 422, 'an instant is a text such as'],
    [{ to: '9999-12-31T23:59:59-23:00' }, 422, 'an instant lies between'],
    [{ until: 'doomsday' }, 422, "'idle'"],
    [{ buy: '1d' }, 422, 'Did you mean \\"by\\"?'],
  ])('of %j is refused in words', async (body, status, words) => {
    const answer = await advance(body)
    expect(answer).toAnswer(status)
    expect(JSON.stringify(answer.body)).toContain(words)
    expect((await petri.read('/_petri/clock')).now).toBe('2026-01-05T09:00:00.000Z')
  })

  it('is refused during another advance, and so is a change of the clock', async () => {
    const [first, second, patch] = await Promise.all([
      advance({ by: '1d' }),
      advance({ by: '1d' }),
      patchClock({ pace: 1 }),
    ])
    const statuses = [first, second, patch].map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
  })

  it('never answers 500 for any sequence of calls, and the clock never goes back', {
    tags: 'slow',
  }, async () => {
    const word = fc.oneof(
      fc.constantFrom(
        '1d',
        '0s',
        '1ms',
        '99999999d',
        'idle',
        '2026-01-06',
        '9999-12-31',
        '0000-01-01',
        '',
        'null',
      ),
      fc.string(),
      fc.double(),
      fc.jsonValue(),
    )
    const body = fc.dictionary(
      fc.constantFrom('by', 'to', 'until', 'now', 'frozen', 'pace', '__proto__'),
      word,
      {
        maxKeys: 3,
      },
    )
    let last = START
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.oneof(body, fc.jsonValue()), async (patches, body) => {
        const { status } = await (patches ? patchClock(body) : advance(body))
        expect([200, 400, 422]).toContain(status)
        const now = Date.parse((await petri.read('/_petri/clock')).now)
        expect(now).toBeGreaterThanOrEqual(last)
        last = now
      }),
      { numRuns: 300 },
    )
  })
})
