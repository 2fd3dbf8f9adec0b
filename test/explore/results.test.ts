import { describe, expect, it, vi } from 'vitest'
import { startPetri } from '../../src/index.ts'
import { type FindingFile, readFinding } from '../../src/scenarios/finding.ts'
import { judgeInvariants, playOptionsOf } from '../../src/tools/explore/checks.ts'
import { happyHistory } from '../../src/tools/explore/compile.ts'
import { replay } from '../../src/tools/explore/explore.ts'
import { serveHost } from '../support/served.ts'

describe('a history that is replayed', { tags: 'slow' }, () => {
  const statusOf = (body: string): [id: string, status: string] => {
    const { id, last_event } = JSON.parse(body).data
    return [id, last_event.status]
  }
  /** Replays a history for a program that shows some statuses only. */
  async function replayed(history: FindingFile, shows: (status: string) => boolean) {
    vi.unstubAllGlobals()
    const statuses = new Map<string, string>()
    const program = await serveHost((request) =>
      Response.json({ status: statuses.get(new URL(request.url).pathname.slice(1)) ?? 'unknown' }),
    )
    const petri = await startPetri({ now: history.now })
    const invariants = [{ url: `${program}/{order_id}`, equals: 'status', at: 'status' }] as const
    const checks = { invariants, world: petri, warn: () => undefined }
    const { finding, played } = await replay(
      history,
      {},
      {
        world: petri,
        judges: [judgeInvariants(checks)],
        async property({ world, history: playable }) {
          await world.webhooks.deliverTo(async (request) => {
            const [id, status] = statusOf(await request.text())
            if (shows(status)) statuses.set(id, status)
          })
          await playable.play(playOptionsOf(checks))
        },
      },
    )
    await petri.close()
    return { finding, played }
  }

  it('finds what is wrong in its middle only', async () => {
    expect((await replayed(happyHistory(), () => true)).finding).toBeUndefined()
    const shows = (status: string) => /ordered|created|completed/.test(status)
    expect((await replayed(happyHistory(), shows)).finding).toBeUndefined()
    const at = (time: string) => ({ at: time, look: true, user: 1 }) as const
    const looked = (...times: readonly string[]) => ({ ...happyHistory(), actions: times.map(at) })
    expect((await replayed(looked('0s', '4h', '9d'), shows)).finding).toBeUndefined()
    const { finding, played } = await replayed(looked('0s', '4h', '3d4h', '9d'), shows)
    expect(finding).toMatchObject({ oracle: 'check', plays: { failed: 3, of: 3 } })
    expect(finding?.story.at(-1)).toBe(
      ' 3 d 4 h  The program says "received.testkit.requisition_created"; expected "collecting_sample.testkit.out_for_delivery".',
    )
    expect(played.endedAt - played.startedAt).toBe(76 * 3_600_000)
  })

  it('checks the redraw that the laboratory orders', async () => {
    const steps = [
      { after: '1h', status: 'requisition_created' },
      { after: '2d', status: 'redraw_available', results: { missing: true } },
    ]
    const orders = [{ at: '0s', user: 1, method: 'walk_in_test', steps }]
    const redrawn = { ...happyHistory(), name: 'redrawn', orders }
    const file = readFinding(JSON.stringify(redrawn), 'redrawn.yaml')
    const { finding, played } = await replayed(file, () => true)
    expect([finding, played.redraws.length]).toEqual([undefined, 1])
    const [redraw] = played.redraws
    const wrong = await replayed(file, (status) => status !== redraw?.last_event.status)
    expect(wrong.finding?.oracle).toBe('check')
  })
})
