import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as cli from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { root } from '../support/root.ts'
import { isInstalled } from '../support/tools.ts'

const folder = makeFolder('petri-tests-')

const history = [
  ['received.walk_in_test.ordered', '2025-03-01T10:00:00Z'],
  ['received.walk_in_test.requisition_created', '2025-03-01T12:30:00Z'],
  ['completed.walk_in_test.completed', '2025-03-09T12:30:00Z'],
  ['completed.walk_in_test.corrected', '2025-03-11T12:30:00Z'],
].map(([status, created_at], id) => ({ id, status, status_detail: null, created_at }))
const webhook = (count: number) =>
  JSON.stringify({
    event_type: 'labtest.order.updated',
    data: {
      id: '11111111-1111-4111-8111-111111111111',
      details: { type: 'walk_in_test', data: {} },
      interpretation: [null, null, null, 'abnormal', 'normal'][count],
      events: history.slice(0, count),
    },
  })
/** The message of the first results came twice. */
const log = join(folder, 'log.jsonl')
writeFileSync(log, [1, 2, 3, 3, 4].map(webhook).join('\n'))
const reports = [
  [7, '2025-03-09T12:00:00Z', 'abnormal'],
  [80, '2025-03-11T12:00:00Z', 'normal'],
].map(([value, date_reported, interpretation]) => {
  const file = join(folder, `results-${value}.json`)
  const results = [{ slug: 'ferritin', type: 'numeric', value, result: `${value}` }]
  writeFileSync(file, JSON.stringify({ metadata: { date_reported, interpretation }, results }))
  return file
})

/** The handler of each test, one that fails at the last status, and the check that nobody has replaced. */
interface Gaps {
  readonly accepting: string
  readonly failing: string
  readonly check: string
}
const inJavaScript: Gaps = {
  accepting: 'return new Response',
  failing: "if ((await request.text()).includes('.completed')) throw new Error()\n  return new Response",
  check: "throw new Error('Replace check() with what your program should show.')",
}
const gaps: Readonly<Record<string, Gaps>> = {
  vitest: inJavaScript,
  jest: inJavaScript,
  node: inJavaScript,
  pytest: {
    accepting: 'return 204',
    failing: 'return 500 if b".completed" in body else 204',
    check: 'raise AssertionError("Replace check() with what your program should show.")',
  },
  go: {
    accepting: 'return http',
    failing: 'if bytes.Contains(body, []byte(".completed")) {\n\t\treturn 500\n\t}\n\treturn http',
    check: 't.Fatal("Replace checkLateCall with what your program should show.")',
  },
}
/** What every test of an incident is tried as. */
const variants = ['good', 'unfilled', 'broken', 'uncorrected'] as const

/** Writes a scenario and its test, and changed copies, each in a folder of its own. */
async function generate(kind: string): Promise<Record<(typeof variants)[number], string>> {
  const written = join(folder, 'written', kind)
  const out = join(written, 'late-call.yaml')
  const { status, stdout } = await runPetri([
    'scenario',
    'from',
    log,
    ...reports,
    '--out',
    out,
    '--test',
    kind,
  ])
  expect(status, stdout).toBe(0)
  expect(stdout).toContain('; put your handler and your check into it.\n')
  expect(stdout).toContain('Played: it gives the same statuses, intervals, results, webhooks.')
  const { accepting = '', failing = '', check = '' } = gaps[kind] ?? {}
  const copies = variants.map((variant) => {
    const copy = join(folder, kind, variant)
    mkdirSync(copy, { recursive: true })
    for (const file of readdirSync(written)) {
      const text = readFileSync(join(written, file), 'utf8')
      if (file.includes('test')) for (const gap of [accepting, check]) expect(text.split(gap)).toHaveLength(2)
      const filled = variant === 'unfilled' ? text : text.replace(check, kind === 'pytest' ? 'pass' : '')
      const handled = variant === 'broken' ? filled.replace(accepting, failing) : filled
      const isScenario = variant === 'uncorrected' && file === 'late-call.yaml'
      writeFileSync(join(copy, file), isScenario ? handled.replace(/^.*status: corrected.*\n/m, '') : handled)
    }
    return [variant, copy] as const
  })
  return Object.fromEntries(copies) as Record<(typeof variants)[number], string>
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

  it('for node:test is green with the correction, and red without it or with a broken handler', async () => {
    const copies = await generate('node')
    const text = readFileSync(join(copies.good, 'late-call.test.mjs'), 'utf8')
    expect(text).toContain(
      '{"after":"1s","status":"completed.walk_in_test.corrected","interpretation":"normal","values":{"ferritin":80}}',
    )
    const counts = await Promise.all(
      variants.map(async (variant) => {
        const { output } = await run(
          process.execPath,
          ['--test', join(copies[variant], 'late-call.test.mjs')],
          folder,
        )
        return [
          variant,
          ...['pass', 'fail'].map((word) => Number(new RegExp(`${word} (\\d)`).exec(output)?.[1])),
        ]
      }),
    )
    expect(counts).toEqual([
      ['good', 2, 0],
      ['unfilled', 1, 1],
      ['broken', 0, 2],
      ['uncorrected', 0, 2],
    ])
  })

  // Jest is no dependency of this project; its tests use globals that Vitest has too.
  it('for vitest and jest does the same', async () => {
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
      'vitest/',
      'jest/',
    ]
    const { output } = await run(
      process.execPath,
      [...args, '--exclude', 'written', '--reporter=json'],
      folder,
    )
    const { testResults } = JSON.parse(output.slice(output.indexOf('{')))
    const counts = testResults.map(
      ({ name, assertionResults }: { name: string; assertionResults: readonly { status: string }[] }) => [
        name.slice(folder.length + 1),
        assertionResults.map(({ status }) => status).join(),
      ],
    )
    const inFolders = (results: Record<string, string>) =>
      ['vitest/%/late-call.test.js', 'jest/%/late-call.test.cjs'].flatMap((path) =>
        Object.entries(results).map(([variant, statuses]) => [path.replace('%', variant), statuses]),
      )
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(
        inFolders({
          good: 'passed,passed',
          unfilled: 'passed,failed',
          broken: 'failed,failed',
          uncorrected: 'failed,failed',
        }),
      ),
    )
  })

  it.for([
    [
      'pytest',
      'python3',
      ['-B', '-c', 'from test_late_call import *; test_late_call(); test_late_call_in_your_program()'],
      'AssertionError',
    ],
    ['go', 'go', ['test', 'late_call_test.go'], 'FAIL'],
  ] as const)('for %s does the same with a Petri elsewhere', async ([kind, tool, args, why], { skip }) => {
    if (!isInstalled(tool)) return skip(`${tool} is not installed here`)
    const copies = await generate(kind)
    const env = { PETRI_URL: server.ready.url, PETRI_CONTROL_TOKEN: 'control', GOFLAGS: '-mod=mod' }
    // The first compiles Go's library for the others.
    expect(await run(tool, args, copies.good, env)).toMatchObject({ isGreen: true })
    const others = variants.filter((variant) => variant !== 'good')
    for (const other of await Promise.all(others.map((variant) => run(tool, args, copies[variant], env))))
      expect(other).toMatchObject({ isGreen: false, output: expect.stringContaining(why) })
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
