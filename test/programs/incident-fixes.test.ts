import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as cli from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { root } from '../support/root.ts'
import { isInstalled } from '../support/tools.ts'
import { fixes, incidents, logOf, startPrograms } from './incident-fixes/program.ts'

/** TEST_INCIDENTS=all repeats every incident in every runner; two incidents in two of them show that the rest can be run. */
const isWhole = process.env.TEST_INCIDENTS === 'all'
const names = isWhole ? Object.keys(incidents) : ['came-twice', 'came-late']
const folder = makeFolder('petri-fixes-')

interface Runner {
  /** The texts that stand for the handler and the check, each with the code that replaces it, for a program at `URL`. */
  readonly gaps: readonly (readonly [gap: string, code: string])[]
  readonly tool: string
  args(files: readonly string[]): readonly string[]
  /** Finds what its output says of a test that passed, with the name of the test. */
  readonly passed: RegExp
}

const javaScript: Runner['gaps'] = [
  [
    'return new Response(null, { status: 204 })',
    `const headers = { 'svix-id': request.headers.get('svix-id') }
  return fetch('URL/webhooks', { method: 'POST', headers, body: await request.text() })`,
  ],
  [
    "throw new Error('Replace check() with what your program should show.')",
    `const answer = await fetch('URL/check', { method: 'POST', body: JSON.stringify(order) })
  if (!answer.ok) throw new Error('The program shows something else.')`,
  ],
]
const vitest: Runner = {
  gaps: javaScript,
  tool: process.execPath,
  args: (files) => [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--globals', '--no-isolate', '--maxWorkers=1', '--reporter=tap-flat', '--root', folder],
    ...files,
  ],
  passed: /^ok .* shows (\S+) in your program/gm,
}
/** Calls each test of the files, because pytest is not everywhere. */
const CALL_TESTS = `import runpy, sys
for file in sys.argv[1:]:
    for name, test in runpy.run_path(file).items():
        if name.startswith("test_"):
            try:
                test()
                print("passed", name)
            except Exception as error:
                print("failed", name, repr(error))
`
const runners: Readonly<Record<string, Runner>> = {
  node: {
    gaps: javaScript,
    tool: process.execPath,
    args: (files) => ['--test', '--test-reporter=tap', ...files],
    passed: /^ *ok \d+ - shows (\S+) in your program/gm,
  },
  pytest: {
    gaps: [
      [
        'return 204',
        `try:
        return urlopen(Request("URL/webhooks", body, {"svix-id": headers["svix-id"]})).status
    except HTTPError as error:
        return error.code`,
      ],
      [
        'raise AssertionError("Replace check() with what your program should show.")',
        'urlopen(Request("URL/check", json.dumps(order).encode()))',
      ],
    ],
    tool: 'python3',
    args: (files) => ['-B', '-c', CALL_TESTS, ...files],
    passed: /^passed test_(\S+)_in_your_program/gm,
  },
  vitest,
  // Jest is no dependency of this project; its tests use globals that Vitest has too.
  jest: vitest,
  go: {
    gaps: [
      [
        'return http.StatusNoContent',
        `request, _ := http.NewRequest("POST", "URL/webhooks", bytes.NewReader(body))
	request.Header.Set("svix-id", header.Get("svix-id"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return http.StatusBadGateway
	}
	response.Body.Close()
	return response.StatusCode`,
      ],
      [
        't.Fatal("Replace checkTITLE with what your program should show.")',
        `sent, _ := json.Marshal(order)
	response, err := http.Post("URL/check", "application/json", bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatal("The program shows something else.")
	}`,
      ],
    ],
    tool: 'go',
    args: (files) => ['test', '-count=1', '-v', ...files],
    passed: /^--- PASS: Test(\S+)InYourProgram/gm,
  },
}
const kinds = isWhole ? Object.keys(runners) : ['node', 'pytest']

const titleOf = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
/** All spellings of a name give the same: came-twice, came_twice, CameTwice. */
const plain = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()

/** Writes the tests of all incidents, for the programs with each fix. Returns the files by fix. */
async function write(kind: string, { gaps }: Runner, url: string): Promise<ReadonlyMap<string, string[]>> {
  const written = join(folder, 'written', kind)
  const files = new Map<string, string[]>()
  for (const name of names) {
    const log = join(folder, `${name}.jsonl`)
    writeFileSync(log, logOf(incidents[name] as (typeof incidents)[string]))
    const out = join(written, name, `${name}.yaml`)
    mkdirSync(join(written, name), { recursive: true })
    const made = await runPetri(['scenario', 'from', log, '--name', name, '--out', out, '--test', kind])
    expect(made, made.stdout + made.stderr).toAnswer(0)
    for (const fix of fixes) {
      const copy = join(folder, kind, fix)
      mkdirSync(copy, { recursive: true })
      for (const file of readdirSync(join(written, name))) {
        const text = readFileSync(join(written, name, file), 'utf8')
        const isTest = file.includes('test')
        const filled = gaps.reduce((filled, [gap, code]) => {
          const parts = filled.split(gap.replace('TITLE', titleOf(name)))
          if (isTest) expect(parts, gap).toHaveLength(2)
          return parts.join(code.replaceAll('URL', `${url}/${kind}:${name}/${fix}`))
        }, text)
        writeFileSync(join(copy, file), filled)
        if (isTest) files.set(fix, [...(files.get(fix) ?? []), join(copy, file)])
      }
    }
  }
  return files
}

const run = ({ tool, args, passed }: Runner, files: readonly string[], env: Record<string, string>) =>
  new Promise<{ readonly passed: readonly string[]; readonly output: string }>((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } }
    execFile(tool, args(files), options, (_, stdout, stderr) =>
      resolve({
        passed: [...stdout.matchAll(passed)].map(([, name = '']) => plain(name)).sort(),
        output: stdout + stderr,
      }),
    )
  })

// Each starts a test runner of its own for each program.
describe('the test of an incident', { timeout: 300_000 }, () => {
  let server: cli.Started
  let programs: Awaited<ReturnType<typeof startPrograms>>
  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/petri-sandbox'))
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
    server = await cli.startPetri([])
    programs = await startPrograms()
  })
  afterAll(async () => {
    programs.close()
    await cli.stop(server.child)
  })

  it.for(kinds)(
    'for %s is green with the right fix, and red without one and with a wrong one, a second time too',
    async (kind, { skip }) => {
      const runner = runners[kind] as Runner
      if (!isInstalled(runner.tool) && runner.tool !== process.execPath)
        return skip(`${runner.tool} is not installed here`)
      const files = await write(kind, runner, programs.url)
      const env = { PETRI_URL: server.ready.url, GOFLAGS: '-mod=mod' }
      for (const time of [1, 2])
        for (const fix of fixes) {
          const { passed, output } = await run(runner, files.get(fix) ?? [], env)
          expect(passed, `${fix}, run ${time}: ${output}`).toEqual(
            fix === 'right' ? names.map(plain).sort() : [],
          )
        }
    },
  )
})
