import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { main } from '../support/cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

// These tests call a Petri of their own on this machine.
beforeEach(() => void vi.unstubAllGlobals())

/** The variables that a runner gives to the steps of a job, with files in a folder of its own. */
function runner() {
  const folder = mkdtempSync(join(tmpdir(), 'petri-'))
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
  })

  it('says why Petri did not start', () => {
    const { env } = runner()
    const { status, stdout } = step(0, env, { scenarios: 'no-such-folder' })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^::error::Petri did not start: .*no-such-folder/m)
  })

  it('has outputs that its first step sets', () => {
    expect(Object.keys(action.outputs).sort()).toEqual(['key', 'secret', 'url'])
    for (const { value } of Object.values<{ value: string }>(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.start\.outputs\.\w+ \}\}$/)
  })
})

describe('the component of GitLab', { timeout: 60_000 }, () => {
  it('has Petri at PETRI_URL while a job runs, and reports after it', () => {
    const [, jobs] = parseAllDocuments(readFileSync(join(root, 'templates/petri.yml'), 'utf8')).map(
      (document) => document.toJS(),
    )
    const folder = mkdtempSync(join(tmpdir(), 'petri-'))
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    // In place of npx, which would download Petri; a runner ends what a job leaves behind.
    const npx = `#!/bin/sh\nshift 2\n[ "$1" = start ] && set -- "$@" --attached true && exec ${process.execPath} ${main} "$@" < hold\nexec ${process.execPath} ${main} "$@"\n`
    writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 })
    const { before_script: before, after_script: after } = jobs['.petri']
    const script = [
      'mkfifo hold',
      'sleep 600 > hold & holder=$!',
      "trap 'kill $holder' EXIT",
      ...before,
      'curl --silent --fail --header "x-vital-api-key: sk_us_petri" "$PETRI_URL/v2/user"; echo',
      ...after,
    ].join('\n')
    // As a runner calls it.
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        PATH: [bin, process.env.PATH].join(delimiter),
        SANDBOX_VERSION: 'latest',
        FROZEN: 'true',
      },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('{"users":[],"total":0,"offset":0,"limit":100}')
    expect(stdout).toMatch(/operations/i)
  })
})
