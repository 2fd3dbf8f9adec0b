import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isProcessAlive } from '../../src/kernel/process-alive.ts'
import { main } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { root } from '../support/root.ts'

openNetwork()

/** The variables that a runner gives to the steps of a job, with files in a folder of its own. */
function runner() {
  const folder = makeFolder('petri-')
  const [output = '', summary = '', variables = ''] = ['output', 'summary', 'env'].map((name) => {
    const file = join(folder, name)
    writeFileSync(file, '')
    return file
  })
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    RUNNER_TEMP: folder,
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_ENV: variables,
    SANDBOX_COMMAND: `${process.execPath} ${main}`,
  }
  return { folder, env, lines: (file: string) => readFileSync(file, 'utf8'), output, summary, variables }
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const given = (name: string, value: string) => ({ [name]: value })

/** Runs a step of action.yml, with the inputs' defaults unless others are given. */
function step(index: number, env: Record<string, string>, inputs: Record<string, string> = {}) {
  const { run, env: names = {} } = action.runs.steps[index]
  const variables = Object.entries<string>(names).map(([variable, expression]) => {
    if (!expression.includes('inputs.')) return {}
    const input = /inputs\.([\w-]+)/.exec(expression)?.[1] ?? ''
    return given(variable, inputs[input] ?? action.inputs[input].default)
  })
  const all: Record<string, string> = Object.assign({}, env, ...variables)
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: env.RUNNER_TEMP,
    env: all,
    encoding: 'utf8',
  })
}

/** A folder of programs, to be found before those of the machine. */
function programs(folder: string, scripts: Record<string, string>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return [bin, process.env.PATH].join(delimiter)
}

/** What npm prints for a package that its registry does not have. */
const notInRegistry = `cat >&2 <<'END'
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/petri-sandbox - Not found
npm error 404
npm error A complete log of this run can be found in a file
END
exit 1`
const reason = 'Petri did not start: npm error 404 Not Found - GET https://registry.npmjs.org/petri-sandbox'

/** A program that runs and never becomes a Petri, with the wait of two minutes, 600 times 0.2 s, cut to two times nothing. */
const neverReady = (pidFile: string) => ({
  npx: `echo $$ > ${pidFile}\nexec tail -f /dev/null`,
  seq: '[ "$1" = 600 ] && echo 1 2',
  sleep: '[ "$1" = 0.2 ]',
})

async function expectEnded(pidFile: string): Promise<void> {
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await expect.poll(() => isProcessAlive(pid), { timeout: 10_000 }).toBe(false)
}

describe('the action', { timeout: 60_000 }, () => {
  it('starts Petri, and reports refused calls, failed deliveries and coverage', async () => {
    const { env, lines, output, summary, variables } = runner()
    const started = step(0, env, { 'webhook-url': 'http://127.0.0.1:9/webhooks' })
    expect(started).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Petri answers at http/) })
    const [, url = ''] = /^url=(.*)$/m.exec(lines(output)) ?? []
    expect(lines(output)).toMatch(/^key=sk_us_petri\nsecret=whsec_/m)
    expect(lines(variables)).toBe(`PETRI_URL=${url}\n`)

    const headers = { 'x-vital-api-key': 'sk_us_petri', 'content-type': 'application/json' }
    expect((await fetch(`${url}/v2/user/none`, { headers })).status).toBeGreaterThanOrEqual(400)
    await fetch(`${url}/_petri/orders`, { method: 'POST', headers, body: '{}' })
    await fetch(`${url}/_petri/clock/advance`, { method: 'POST', headers, body: '{"by":"0s"}' })
    const reported = step(1, { ...env, PETRI_URL: url })
    expect(reported).toMatchObject({ status: 0, stderr: '' })
    expect(lines(summary)).toMatch(/### Refused calls\n\n```\n[^`]*\/v2\/user\/none/)
    expect(lines(summary)).toMatch(/### Failed deliveries\n\n```\n[^`]*labtest\.order\.created/)
    expect(lines(summary)).toMatch(/### Coverage\n\n```\n[^`]*operations/i)
    await expect(fetch(`${url}/_petri/health`)).rejects.toThrow()
  })

  it('gives the key and the secret of the job, which Petri does not print, with a log of warnings only', () => {
    const { env, lines, output } = runner()
    const secret = `whsec_${btoa('s'.repeat(24))}`
    const started = step(0, {
      ...env,
      PETRI_API_KEY: 'sk_us_job',
      PETRI_WEBHOOK_SECRET: secret,
      PETRI_LOG: 'warn',
    })
    expect(started).toAnswer(0)
    expect(lines(output)).toContain(`key=sk_us_job\nsecret=${secret}\n`)
    const url = /^url=(.*)$/m.exec(lines(output))?.[1] ?? ''
    expect(step(1, { ...env, PETRI_URL: url, PETRI_API_KEY: 'sk_us_job' })).toAnswer(0)
  })

  it('reports without failing the job when Petri has died, or was never started', async () => {
    const { env, lines, output, summary } = runner()
    step(0, env)
    const url = /^url=(.*)$/m.exec(lines(output))?.[1] ?? ''
    await fetch(`${url}/_petri/stop`, { method: 'POST' })
    await expect.poll(() => fetch(url).catch(() => 'gone'), { timeout: 10_000 }).toBe('gone')
    const reported = step(1, { ...env, PETRI_URL: url })
    expect(reported).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^::warning::Petri had ended/m),
    })
    expect(lines(summary)).toContain('No answer from')
    expect(step(1, runner().env)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^::warning::Petri did not start/m),
    })
  })

  it.each([
    ['', 'v0.1.0', '0.1.0'],
    ['', 'main', 'latest'],
    ['0.2.0', 'v0.1.0', '0.2.0'],
  ])('with version "%s" at %s starts version %s', (version, ref, expected) => {
    const { folder, env } = runner()
    const PATH = programs(folder, { npx: 'echo "$@" >&2\nexit 1' })
    const { stdout } = step(0, { ...env, SANDBOX_COMMAND: '', PATH, ACTION_REF: ref }, { version })
    expect(stdout).toContain(`petri-sandbox@${expected} start`)
  })

  it('uploads its log under a name of its own for each job of a matrix and each attempt, and never fails the job', () => {
    const upload = action.runs.steps.at(-1)
    expect(upload['continue-on-error']).toBe(true)
    for (const part of ['inputs.artifact-name', 'github.job', 'strategy.job-index', 'github.run_attempt'])
      expect(upload.with.name).toContain(part)
  })

  it('says why Petri did not start', () => {
    const { env } = runner()
    const { status, stdout } = step(0, env, { scenarios: 'no-such-folder' })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^::error::Petri did not start: .*no-such-folder/m)
    expect(step(1, env)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^::warning::Petri did not start/),
    })
  })

  it('shows the 404 of a registry without the package, and the last lines', () => {
    const { folder, env } = runner()
    const PATH = programs(folder, { npx: notInRegistry })
    const { status, stdout } = step(0, { ...env, SANDBOX_COMMAND: '', PATH })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^npm error code E404\n/)
    expect(stdout).toContain(`::error::${reason}`)
  })

  it('ends a Petri that does not become ready', async () => {
    const { folder, env } = runner()
    const pidFile = join(folder, 'pid')
    const PATH = programs(folder, neverReady(pidFile))
    expect(step(0, { ...env, SANDBOX_COMMAND: '', PATH })).toAnswer(1)
    await expectEnded(pidFile)
  })

  it('has outputs that its first step sets', () => {
    expect(Object.keys(action.outputs).sort()).toEqual(['key', 'secret', 'url'])
    for (const { value } of Object.values<{ value: string }>(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.start\.outputs\.\w+ \}\}$/)
  })
})

/** Variables that Docker sets in a job that is linked to a service called petri. */
const legacyLink = {
  PETRI_NAME: '/build/petri',
  PETRI_PORT: 'tcp://172.17.0.2:4080',
  PETRI_PORT_4080_TCP: 'tcp://172.17.0.2:4080',
  PETRI_ENV_PETRI_DATA: 'memory',
}

/** Runs a job that extends the component: GitLab fills in the inputs, and a runner gives before_script and script to one shell. */
function gitlabJob(
  script: readonly string[],
  scripts: Record<string, string> = {},
  env: Record<string, string> = {},
) {
  const npx = `shift 2\nexec ${process.execPath} ${main} "$@"`
  const [header, component] = readFileSync(join(root, 'templates/petri.yml'), 'utf8').split('\n---\n')
  const { inputs } = parse(header ?? '').spec
  const given: Record<string, string> = { 'webhook-url': 'http://127.0.0.1:9/webhooks' }
  const jobs = parse(component ?? '', (_, value) =>
    typeof value === 'string'
      ? value.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name) => given[name] ?? inputs[name].default)
      : value,
  )
  expect(jobs['.petri'].variables).toBeUndefined()
  const folder = makeFolder('petri-')
  const lines = [...jobs['.petri'].before_script, ...script]
  return spawnSync('bash', ['--norc', '-eo', 'pipefail', '-c', lines.join('\n')], {
    cwd: folder,
    env: { PATH: programs(folder, { npx, ...scripts }), ...legacyLink, ...env },
    encoding: 'utf8',
  })
}

describe('the component of GitLab', { timeout: 60_000 }, () => {
  const call = 'curl --silent --fail --header "x-vital-api-key: sk_us_petri"'

  it('has Petri at PETRI_URL while a job runs, reports when its script ends, and stops Petri, whatever variables the project has', async () => {
    const script = [
      `${call} "$PETRI_URL/v2/user"; echo`,
      `${call} "$PETRI_URL/_petri/webhooks/endpoints"; echo`,
      'echo "the chat hook is $WEBHOOK_URL"',
    ]
    const variables = {
      WEBHOOK_URL: 'https://chat.example.com/hook',
      SCENARIOS: 'none',
      FROZEN: 'no',
      PETRI_LOG: 'warn',
    }
    const { status, stdout, stderr } = gitlabJob(script, {}, variables)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('the chat hook is https://chat.example.com/hook')
    expect(stdout).toContain('{"users":[],"total":0,"offset":0,"limit":100}')
    expect(stdout).toContain('http://127.0.0.1:9/webhooks')
    expect(stdout).toMatch(/operations/i)
    const [, url = ''] = /Stopped the Petri at (\S+)\./.exec(stdout) ?? []
    await expect(fetch(`${url}/_petri/health`)).rejects.toThrow()
  })

  it('reports when a script fails, and keeps its exit status', () => {
    const { status, stdout } = gitlabJob([`${call} "$PETRI_URL/v2/user/none" || exit 7`])
    expect(status).toBe(7)
    expect(stdout).toContain('/v2/user/none')
    expect(stdout).toContain('Stopped the Petri at')
  })

  it('shows why Petri did not start, and ends what does not become ready', async () => {
    const failed = gitlabJob(['echo the script ran'], { npx: notInRegistry })
    expect(failed).toAnswer(1)
    expect(failed.stdout).toMatch(/^npm error code E404\n/)
    expect(failed.stdout).toContain(reason)
    expect(failed.stdout).not.toContain('the script ran')
    const pidFile = join(makeFolder('petri-'), 'pid')
    expect(gitlabJob(['echo the script ran'], neverReady(pidFile)).status).toBe(1)
    await expectEnded(pidFile)
  })
})
