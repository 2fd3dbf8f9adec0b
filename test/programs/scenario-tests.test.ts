import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as cli from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { isInstalled } from '../support/tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'petri-tests-'))

const history = [
  ['received.walk_in_test.ordered', '2025-03-01T10:00:00Z'],
  ['received.walk_in_test.requisition_created', '2025-03-01T12:30:00Z'],
  ['completed.walk_in_test.completed', '2025-03-09T12:30:00Z'],
].map(([status, created_at], id) => ({ id, status, status_detail: null, created_at }))
const webhook = (count: number) =>
  JSON.stringify({
    event_type: 'labtest.order.updated',
    data: {
      id: '11111111-1111-4111-8111-111111111111',
      details: { type: 'walk_in_test', data: {} },
      interpretation: 'critical',
      events: history.slice(0, count),
    },
  })
/** Every message came twice. */
const log = join(folder, 'log.jsonl')
writeFileSync(log, [1, 1, 2, 2, 3, 3].map(webhook).join('\n'))

/** Beside each test, one whose handler fails at the last status. */
const brokenHandlers: Readonly<Record<string, readonly [accepting: string, failing: string]>> = {
  vitest: [
    'return new Response',
    "if ((await request.text()).includes('.completed')) throw new Error()\n  return new Response",
  ],
  jest: [
    'return new Response',
    "if ((await request.text()).includes('.completed')) throw new Error()\n  return new Response",
  ],
  node: ['status: 204', "status: (await request.text()).includes('.completed') ? 500 : 204"],
  pytest: ['return 204', 'return 500 if b".completed" in body else 204'],
  go: ['return http', 'if bytes.Contains(body, []byte(".completed")) {\n\t\treturn 500\n\t}\n\treturn http'],
}

/** Writes a scenario and its test, and a copy with a broken handler, each in a folder of its own. */
async function generate(kind: string): Promise<{ good: string; broken: string }> {
  const [good, broken] = [join(folder, kind, 'good'), join(folder, kind, 'broken')]
  const { status, stdout } = await runPetri([
    'scenario',
    'from',
    log,
    '--out',
    join(good, 'late-call.yaml'),
    '--test',
    kind,
  ])
  expect(status).toBe(0)
  expect(stdout).toContain('; put your handler into it.\n')
  const [accepting = '', failing = ''] = brokenHandlers[kind] ?? []
  mkdirSync(broken)
  for (const file of readdirSync(good)) {
    const text = readFileSync(join(good, file), 'utf8')
    if (file.includes('test')) expect(text.split(accepting)).toHaveLength(2)
    writeFileSync(join(broken, file), text.replace(accepting, failing))
  }
  return { good, broken }
}

interface Finished {
  readonly isGreen: boolean
  readonly output: string
}

const run = (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  new Promise<Finished>((resolve) => {
    const options = { cwd, env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } }
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ isGreen: error === null, output: stdout + stderr })
    })
  })

// Each starts a test runner of its own.
describe('the test beside a scenario', { timeout: 120_000 }, () => {
  let server: cli.Started
  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/petri-sandbox'))
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
    server = await cli.startPetri(['--control-token', 'control'])
  })
  afterAll(() => cli.stop(server.child))

  it('for node:test accepts every webhook, and fails with a broken handler', async () => {
    const { good } = await generate('node')
    const text = readFileSync(join(good, 'late-call.test.mjs'), 'utf8')
    const created = "  ['labtest.order.created', 'received.walk_in_test.ordered'],\n"
    expect(text).toContain(created + created)
    expect(text).toContain("['labtest.result.critical', 'final'],\n]")
    const files = ['good', 'broken'].map((path) => join(folder, 'node', path, 'late-call.test.mjs'))
    const { output } = await run(process.execPath, ['--test', ...files], folder)
    expect(output).toMatch(/pass 1\n/)
    expect(output).toMatch(/fail 1\n/)
    expect(output).toContain('ERR_ASSERTION')
  })

  // Jest is no dependency of this project; its tests use globals that Vitest has too.
  it('for vitest and jest accepts every webhook, and fails with a broken handler', async () => {
    await generate('vitest')
    await generate('jest')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [
      vitest,
      'run',
      '--globals',
      '--no-isolate',
      '--maxWorkers=1',
      '--root',
      folder,
      'vitest',
      'jest',
    ]
    const { output } = await run(process.execPath, [...args, '--reporter=json'], folder)
    const { testResults } = JSON.parse(output.slice(output.indexOf('{')))
    const statuses = testResults.map(({ name, status }: Record<string, string>) => [
      name?.slice(folder.length + 1),
      status,
    ])
    expect(Object.fromEntries(statuses)).toEqual({
      'vitest/good/late-call.test.js': 'passed',
      'vitest/broken/late-call.test.js': 'failed',
      'jest/good/late-call.test.cjs': 'passed',
      'jest/broken/late-call.test.cjs': 'failed',
    })
    expect(output.match(/AssertionError/g)?.length).toBeGreaterThanOrEqual(2)
  })

  it.for([
    [
      'pytest',
      'python3',
      ['-B', '-c', 'from test_late_call import *; test_late_call(); print("passed")'],
      'AssertionError',
    ],
    ['go', 'go', ['test', 'late_call_test.go'], 'expected [['],
  ] as const)('for %s does the same with a Petri elsewhere', async ([kind, tool, args, why], { skip }) => {
    if (!isInstalled(tool)) return skip(`${tool} is not installed here`)
    const { good, broken } = await generate(kind)
    const env = { PETRI_URL: server.ready.url, PETRI_CONTROL_TOKEN: 'control', GOFLAGS: '-mod=mod' }
    const [passed, failed] = await Promise.all([good, broken].map((path) => run(tool, args, path, env)))
    expect(passed).toMatchObject({ isGreen: true })
    expect(failed).toMatchObject({ isGreen: false, output: expect.stringContaining(why) })
  })

  it.each([
    [
      ['--test', 'vitests'],
      2,
      '"vitests" is not a kind of test; choose one of vitest, jest, node, pytest, go. Did you mean "vitest"?',
    ],
    [['--test', 'toString'], 2, '"toString" is not a kind of test'],
  ])('is refused with %j, and nothing is written', async (more, status, message) => {
    const out = join(folder, 'refused.yaml')
    const refused = await runPetri(['scenario', 'from', log, '--out', out, ...more])
    expect(refused).toMatchObject({ status, stderr: expect.stringContaining(message) })
    expect(existsSync(out)).toBe(false)
  })

  it('needs a file, and replaces none', async () => {
    expect(await runPetri(['scenario', 'from', log, '--test', 'node'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--test needs --out, because the test reads the file of the scenario.'),
    })
    writeFileSync(join(folder, 'test_kept.py'), 'mine')
    const out = join(folder, 'kept.yaml')
    expect(await runPetri(['scenario', 'from', log, '--out', out, '--test', 'pytest'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('test_kept.py already exists'),
    })
    expect(existsSync(out)).toBe(false)
    expect(readFileSync(join(folder, 'test_kept.py'), 'utf8')).toBe('mine')
  })
})
