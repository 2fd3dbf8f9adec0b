import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPetri } from '../../src/index.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'

let petri: Awaited<ReturnType<typeof startPetri>>
const mine = 'name: mine\nsummary: Mine.\nmethod: testkit\nsteps:\n  - { after: 1d, status: cancelled }\n'

beforeAll(async () => {
  petri = await startPetri({ port: 0 })
  await petri.scenarios.add('mine', mine)
})
afterAll(() => petri.close())

const run = (...args: string[]) => runPetri(['scenario', ...args])
const inWorld = (...args: string[]) => run(...args, '--url', petri.url, '--api-key', petri.apiKey)

it('commands read the scenarios of a world with --url, and those of files without it', async () => {
  expect((await inWorld('list', '--kind', 'order')).stdout).toContain('mine')
  expect((await run('list', '--kind', 'order')).stdout).not.toContain('mine')
  expect((await inWorld('show', 'mine')).stdout).toBe(mine)
  expect((await inWorld('check', 'mine')).stdout).toBe('mine: valid\n')
  expect((await inWorld('try', 'mine')).stdout).toContain('cancelled.testkit.cancelled')
  expect(await run('show', 'mine')).toAnswer(1)
  expect((await inWorld('show', 'toString')).stderr).toContain('There is no scenario "toString"')
})

it('commands list one kind', async () => {
  const personas = JSON.parse((await run('list', '--kind', 'persona', '--json')).stdout)
  expect(new Set(personas.map(field('kind')))).toEqual(new Set(['persona']))
  const wrong = await run('list', '--kind', 'personas')
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean "persona"?')])
})
