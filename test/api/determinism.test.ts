import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addEndpoint } from '../../src/webhooks/endpoints.ts'
import { advance, untilIdle } from '../support/orders.ts'
import type { TestPetri } from '../support/petri.ts'
import { type Respond, startHeardPetri } from '../support/receiver.ts'
import { rounds } from '../support/rounds.ts'
import { turns } from '../support/timing.ts'

type Step =
  | { readonly does: 'emit'; readonly count: number }
  | { readonly does: 'advance'; readonly by: string }
  | { readonly does: 'rules'; readonly rules: object }
  | { readonly does: 'snapshot' | 'restore' | 'resend' | 'idle' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('emit' as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('advance' as const),
      by: fc.constantFrom('0s', '1s', '5s', '6m', '3h', '2d'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rules' as const),
      rules: fc.constantFrom({}, { drop_first: 1 }, { duplicate: 2 }, { reorder: 2 }, { delay: '90s' }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('snapshot' as const, 'restore' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('resend' as const, 'idle' as const) }) },
)

/** From now on the machine stops now and then, for longer than a slice of work lasts, until `vi.restoreAllMocks()`. */
function makeMachineStop(): void {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => {
    if (Math.random() < 0.3) now += 10
    return now
  })
}

/** Runs a program of calls with receivers that take a random time, and returns all that was answered. */
async function run(steps: readonly Step[], slowness: number): Promise<string[]> {
  const respond: Respond = async ({ url, body }) => {
    await turns(Math.floor(Math.random() * slowness))
    return (JSON.parse(body).data?.n + url.length) % 3 === 0 ? 500 : 200
  }
  const { petri } = await startHeardPetri(respond, { world: { webhookUrl: 'http://a.test/' } })
  addEndpoint(petri.world(), { url: 'http://second.test/' })
  const told: string[] = []
  let n = 0
  for (const step of steps) {
    await turns(Math.floor(Math.random() * 4))
    told.push(JSON.stringify(await perform(petri, step, () => n++)))
  }
  await petri.world().agenda.settled()
  told.push(JSON.stringify(await petri.read('/_petri/webhooks/messages?limit=1000')))
  await petri.close()
  return told
}

async function perform(petri: TestPetri, step: Step, next: () => number): Promise<unknown> {
  switch (step.does) {
    case 'emit':
      for (let nth = 0; nth < step.count; nth++) {
        petri.world().emit('a.b', { userId: null, clientUserId: null }, { n: next() })
      }
      return undefined
    case 'advance':
      return (await advance(petri, step.by)).body
    case 'idle':
      return (await untilIdle(petri)).body
    case 'rules':
      return (await petri.put('/_petri/webhooks/faults', step.rules)).body
    case 'snapshot':
      return (await petri.put('/_petri/snapshots/a')).status
    case 'restore':
      return (await petri.post('/_petri/snapshots/a/restore')).status
    default:
      return (await petri.post('/_petri/webhooks/resend', { since: '2026-01-01T00:00:00Z' })).body
  }
}

describe('the same calls to worlds of the same seed', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('get the same bytes, regardless of the response times of receivers and of the machine', {
    tags: 'slow',
  }, async () => {
    const numRuns = rounds(8)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        makeMachineStop()
        const slow = await run(steps, 12)
        vi.restoreAllMocks()
        expect(slow).toEqual(await run(steps, 1))
      }),
      { numRuns },
    )
  })
})
