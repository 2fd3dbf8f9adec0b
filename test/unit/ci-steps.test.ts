import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { areasWith, dueAreas } from '../../scripts/ci/mutant-areas.mjs'
import { makeFolder } from '../support/new-folder.ts'
import { read, root } from '../support/root.ts'

interface Step {
  readonly name: string
  readonly run: string
  readonly guards?: readonly string[]
}

const lanes: Record<'push' | 'night', readonly Step[]> = JSON.parse(read('.ci/steps.json'))
const all = [...lanes.push, ...lanes.night]

describe('the steps of .ci/steps.json', () => {
  it('have names of their own, scripts that are there, and guard what is there', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    const { scripts } = JSON.parse(read('package.json'))
    const commands = all.map(({ run }) => run).join('\n')
    const called = [...commands.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(called.filter((name) => !(name in scripts))).toEqual([])
    const files = [...commands.matchAll(/(?:scripts|test)\/[\w./-]+/g)].map(([path]) => path)
    const guarded = lanes.night.flatMap(({ guards = [] }) => guards)
    expect([...files, ...guarded].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('are what the workflows run', () => {
    expect(read('.github/workflows/ci.yml')).toContain('run: bash .ci/run\n')
    expect(read('.github/workflows/night.yml')).toContain('bash .ci/run --lane night --list')
    expect(read('.github/workflows/night.yml')).toContain('run: bash .ci/run --only "$STEP"')
  })
})

/** A repository with two commits on steps of its own, the second of which changes `src/people/day.ts`. */
let folder = ''
beforeAll(() => {
  folder = makeFolder('petri-steps-')
  const steps = {
    push: [{ name: 'tests', run: 'echo tested' }],
    night: [
      { name: 'realism', run: 'echo measured', guards: ['src/people'] },
      { name: 'soak', run: 'echo soaked', guards: ['src/storage'] },
      { name: 'image', run: 'echo built', needs: 'no-such-program', guards: [] },
    ],
    broken: [
      { name: 'first', run: 'exit 3' },
      { name: 'second', run: 'echo never' },
    ],
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('.ci/steps.json', JSON.stringify(steps))
  git('init', '--quiet', '--initial-branch=main')
  for (const text of ['1', '2']) {
    write('src/people/day.ts', text)
    git('add', '.')
    git('commit', '--quiet', '--message', text)
  }
})

function runSteps(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/ci/run.mjs'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return { status, printed: stdout + stderr }
}

describe('.ci/run', { tags: 'slow' }, () => {
  it('runs the push lane, and the step of the night that guards what the change touches', () => {
    const { status, printed } = runSteps()
    expect(status).toBe(0)
    expect(printed).toMatch(/== tests: echo tested\ntested\n\n== realism: echo measured\nmeasured\n/)
    expect(printed).not.toContain('soaked')
    expect(printed.trimEnd()).toMatch(/All is well\.$/)
  })

  it('runs one lane, one step, or everything', () => {
    const names = (...args: string[]) => JSON.parse(runSteps('--list', ...args).printed)
    expect(names('--lane', 'night')).toEqual(['realism', 'soak', 'image'])
    expect(names('--only', 'soak')).toEqual(['soak'])
    expect(names('--all')).toEqual(['tests', 'realism', 'soak', 'image', 'first', 'second'])
  })

  it('ends with the first step that fails, and names it', () => {
    const { status, printed } = runSteps('--lane', 'broken')
    expect(status).toBe(1)
    expect(printed).toContain('first failed: exit status 3')
    expect(printed).not.toContain('never')
  })

  it('leaves out a step whose tool is missing, and says so', () => {
    const { status, printed } = runSteps('--only', 'image')
    expect(status).toBe(0)
    expect(printed).toContain('left out: there is no no-such-program')
  })

  it.each([
    ['lane', 'There is no lane evening.'],
    ['only', 'There is no step evening.'],
  ])('refuses an unknown %s', (option, message) => {
    expect(runSteps(`--${option}`, 'evening')).toEqual({ status: 1, printed: `${message}\n` })
  })
})

describe('the areas of mutants', () => {
  const areas = {
    clock: { mutate: ['src/clock.ts'], tests: ['unit/clock'] },
    orders: { mutate: ['src/orders/**/*.ts', '!src/orders/{service,table}.ts'], tests: ['api/orders.*'] },
    people: { mutate: ['src/people/*.ts'], tests: ['unit/people'] },
  }

  it.each([
    ['src/orders/a/b.ts', ['orders']],
    ['src/orders/table.ts', []],
    ['src/people/a/b.ts', []],
    ['test/api/orders.rules.test.ts', ['orders']],
    ['test/unit/clock.test.ts', ['clock']],
  ])('of %s are %j', (file, expected) => {
    expect(areasWith(areas, [file])).toEqual(expected)
  })

  it('are due if they were never measured, were cut off or have changed, the longest ago first', () => {
    const whole = { isWhole: true, commit: 'a' }
    const due = (measured: object, changed: readonly string[] = []) =>
      dueAreas(areas, measured, () => changed)
    expect(due({})).toEqual(['clock', 'orders', 'people'])
    const all = { clock: { ...whole, at: 3 }, orders: { ...whole, at: 2 }, people: { ...whole, at: 1 } }
    expect(due(all)).toEqual([])
    expect(dueAreas(areas, all, () => undefined)).toEqual(['people', 'orders', 'clock'])
    expect(due(all, ['src/clock.ts', 'src/people/a.ts'])).toEqual(['people', 'clock'])
    expect(due({ ...all, clock: { ...all.clock, isWhole: false } })).toEqual(['clock'])
    expect(due({ orders: { ...all.orders, isWhole: false }, people: all.people })).toEqual([
      'clock',
      'orders',
    ])
  })
})

describe('scripts/ci/check-slow-tests.mjs', { tags: 'slow' }, () => {
  /** A report of a quick test, and of one without the tag slow that took `duration` and now takes `ms`. */
  function check(duration: number, ms: number) {
    const name = join(makeFolder('petri-slow-'), 'a.test.ts')
    onTestFinished(() => rmSync(dirname(name), { recursive: true }))
    const wait = `it('waits (a while)', () => new Promise((done) => setTimeout(done, ${ms})))`
    writeFileSync(name, `it('loads modules', () => {})\n${wait}\n`)
    const config = `export default { test: { globals: true, tags: [{ name: 'slow' }] } }`
    writeFileSync(join(dirname(name), 'vitest.config.mjs'), config)
    const assertionResults = [
      { fullName: 'loads modules', duration: 5000 },
      { fullName: 'waits (a while)', duration },
    ]
    const report = join(dirname(name), 'report.json')
    writeFileSync(report, JSON.stringify({ testResults: [{ name, assertionResults }] }))
    const args = [join(root, 'scripts/ci/check-slow-tests.mjs'), report, '--root', dirname(name)]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    return { status, printed: stdout + stderr }
  }

  it('names a test that is slow alone too, and fails', () => {
    const { status, printed } = check(2500, 2100)
    expect(status).toBe(1)
    expect(printed).toMatch(/a\.test\.ts: waits \(a while\) took 2\.1 s\. Make it cheaper, or tag it/)
  })

  it('passes a test that was slow beside others only, and does not run the quick ones again', () => {
    expect(check(2500, 1)).toAnswer(0)
    expect(check(1900, 2100)).toAnswer(0)
  })
})
