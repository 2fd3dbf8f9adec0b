import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { startPetri, stop } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { serveHost } from '../support/served.ts'

beforeEach(() => void vi.unstubAllGlobals())

const ROUNDS = rounds(10)

it('a Petri that is killed during an exploration leaves no world behind and loses none', {
  timeout: rounds(300_000),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petri-explore-kill-'))
  const webhook = await serveHost(() => new Response(null, { status: 204 }))
  const random = createRandom('explore-kills')
  const teams = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ready } = await startPetri(['--data', folder])
    const headers = { 'x-vital-api-key': ready.api_key, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${ready.url}${path}`, init)
      expect(response.ok).toBe(true)
      // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
      return response.json() as Promise<any>
    }
    const { data } = await call('GET', '/_petri/worlds')
    if (round === 0) teams.add(data[0].team_id)
    expect(new Set(data.map((world: { team_id: string }) => world.team_id))).toEqual(teams)
    teams.add((await call('POST', '/_petri/worlds', { name: `${round}` })).team_id)
    const { id } = await call('POST', '/_petri/explore', { webhook, runs: 10_000 })
    while ((await call('GET', `/_petri/explore/${id}`)).plays === 0) await pause(10)
    await pause(random.integer(`${round}`, 0, 200))
    await stop(child, round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    expect(
      readdirSync(join(folder, 'worlds'))
        .filter((name) => /^[0-9a-f-]{36}$/.test(name))
        .sort(),
    ).toEqual([...teams].sort())
  }
})
