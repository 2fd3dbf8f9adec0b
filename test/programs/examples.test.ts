import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Started, startPetri, stop } from '../support/cli.ts'
import { root } from '../support/root.ts'
import { isInstalled } from '../support/tools.ts'

const run = promisify(execFile)
const examples = `${root}examples/`

/** Ended before an idle connection is closed, which takes 75 s. */
const testWithNode = (file: string) =>
  run(process.execPath, ['--test', file], {
    cwd: `${root}test/programs/node-fixtures`,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    timeout: 60_000,
  }).catch((error: { stdout: string }) => error)

// Each example runs a test runner or compiler of its own.
describe('the examples', { timeout: 120_000 }, () => {
  let server: Started
  let env: Record<string, string>
  beforeAll(async () => {
    server = await startPetri(['--frozen', '--control-token', 'control'])
    env = { PATH: process.env.PATH ?? '', PETRI_URL: server.ready.url, PETRI_CONTROL_TOKEN: 'control' }
  })
  afterAll(() => stop(server.child))

  it('for node:test pass', async () => {
    const { stdout } = await run(process.execPath, ['--test', `${examples}node-test/orders.test.mjs`], {
      cwd: root,
    })
    expect(stdout).toMatch(/pass [1-9]/)
    expect(stdout).toMatch(/fail 0/)
  })

  it('for vitest pass', async () => {
    const vitest = `${root}node_modules/vitest/vitest.mjs`
    const { stdout } = await run(
      process.execPath,
      [vitest, 'run', '--root', '.', '--testTimeout', '300000'],
      {
        cwd: `${examples}vitest`,
        env: { PATH: process.env.PATH ?? '' },
      },
    )
    expect(stdout).toMatch(/[1-9] passed/)
  })

  it('with the fixtures for vitest have a world each and print the journal of what fails, and timers may be fake', async () => {
    const vitest = `${root}node_modules/vitest/vitest.mjs`
    const { stdout, stderr } = await run(process.execPath, [vitest, 'run', '--root', '.'], {
      cwd: `${root}test/programs/vitest-fixtures`,
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    }).catch((error: { stdout: string; stderr: string }) => error)
    expect(stdout).toContain('1 failed | 4 passed')
    expect(stderr).toMatch(/What was asked and delivered:\n.*GET \/v3\/order\/nothing: 4\d\d/)
    expect(stderr).toContain('The order is received.testkit.ordered, not completed')
  })

  it('with the hooks of node:test have a world each, and print the journal of what fails', async () => {
    const { stdout } = await testWithNode('worlds.test.mjs')
    expect(stdout).toMatch(/pass 2\n.*fail 1\n/)
    expect(stdout).toMatch(/What was asked and delivered:\n.*GET \/v3\/order\/nothing: 4\d\d/)
  })

  it('with node:test may fake all timers, and end without closing Petri', async () => {
    const { stdout } = await testWithNode('timers.test.mjs')
    expect(stdout).toMatch(/pass 2\n.*fail 0\n.*cancelled 0\n/)
  })

  it('of a cohort has a row for each day of a person', async () => {
    const { stdout } = await run(process.execPath, [`${examples}cohort.mjs`, '2', '3'], { cwd: root })
    const [head, ...rows] = stdout.trim().split('\n')
    expect(head).toMatch(/^client_user_id,persona,calendar_date,steps,/)
    expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
      'person-1,type-2-diabetes,2026-01-05',
      'person-1,type-2-diabetes,2026-01-06',
      'person-1,type-2-diabetes,2026-01-07',
      'person-2,,2026-01-05',
      'person-2,,2026-01-06',
      'person-2,,2026-01-07',
    ])
    for (const row of rows) expect(row).toMatch(/,\d+,[\d.]+,[\d.]+,[\d.]+$/)
  })

  it('in Python pass', async ({ skip }) => {
    if (!isInstalled('python3')) return skip('python3 is not installed here')
    const program = [
      'import petri, test_orders',
      'for name, test in vars(test_orders).items():',
      '    if name.startswith("test_"):',
      '        world = petri.World()',
      '        test(world)',
      '        world.close()',
      '        print(name)',
    ].join('\n')
    const { stdout } = await run('python3', ['-B', '-c', program], { cwd: `${examples}python`, env })
    expect(stdout.match(/test_/g)?.length).toBe(5)
  })

  it('in Go pass', async ({ skip }) => {
    if (!isInstalled('go')) return skip('go is not installed here')
    const { stdout } = await run('go', ['test', './...'], {
      cwd: `${examples}go`,
      env: { ...process.env, ...env },
    })
    expect(stdout).toContain('ok')
  })

  it('in a shell pass', async ({ skip }) => {
    if (!isInstalled('curl')) return skip('curl is not installed here')
    const { stdout } = await run('sh', [`${examples}shell/order.sh`], { env })
    expect(stdout.trim().split('\n')).toEqual([
      'collecting_sample.testkit.problem_in_transit_customer',
      'failed.testkit.lost',
    ])
  })
})
