// One call of every command of the command line, in an order in which each finds what it needs. Run by the test of the
// built files and by the check of the package.
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const KEY = 'sk_us_petri'
const YAML_DESCRIPTION =
  'openapi: 3.1.0\ninfo: { version: "9.9.9" }\npaths: { /v2/user: { get: { responses: {} } } }\n'

/**
 * The calls of all commands but `start`. Texts in braces are names of values that `context` has or an earlier call has
 * printed as JSON (`keeps`, by path). `exits` is the exit status if it is not 0, `hasMarkdown` that it has
 * `--markdown`, `endless` that the command runs until it is stopped.
 */
const calls = [
  { command: 'health' },
  { command: 'open' },
  { command: 'env' },
  // The Petri of these calls serves no TLS.
  { command: 'ca', exits: 1 },
  { command: 'mcp', hasJson: false },
  { command: 'exec', args: ['--', process.execPath, '--version'], hasJson: false },
  {
    command: 'explore',
    args: ['--runs', '1', '--found', '{folder}/found', '--', process.execPath, '--version'],
    hasJson: false,
  },
  { command: 'doctor' },
  { command: 'skill install', args: ['--folder', '{folder}/skills'] },
  { command: 'completion', args: ['bash'] },
  { command: 'clock show' },
  { command: 'clock freeze' },
  { command: 'clock pace', args: ['100'] },
  { command: 'clock set', args: ['2030-01-05T09:00:00Z'] },
  { command: 'world list' },
  { command: 'world new', args: ['--name', 'other', '--frozen'], keeps: { world: 'team_id' } },
  { command: 'world show' },
  { command: 'world like', args: ['none'] },
  { command: 'world key', args: [KEY] },
  { command: 'world features', args: ['redraws=true'] },
  { command: 'world drop', args: ['{world}'] },
  { command: 'scenario list' },
  { command: 'scenario show', args: ['happy-path'] },
  { command: 'scenario try', args: ['happy-path'] },
  { command: 'scenario new', args: ['mine', '--folder', '{folder}'] },
  { command: 'scenario check', args: ['{folder}/mine.yaml'] },
  { command: 'scenario upload', args: ['{folder}/mine.yaml'] },
  { command: 'scenario remove', args: ['mine'] },
  { command: 'webhook add', args: ['http://127.0.0.1:9/hook'], keeps: { endpoint: 'id' } },
  { command: 'user create', keeps: { user: 'user_id' } },
  { command: 'user persona', args: ['{user}', 'athlete'] },
  { command: 'user fhir', args: ['{user}'] },
  { command: 'order place', keeps: { order: 'id' } },
  { command: 'order list' },
  { command: 'order show', args: ['{order}'] },
  { command: 'explain', args: ['{order}'] },
  { command: 'order results', args: ['{order}', 'tsh=2'] },
  { command: 'order scenario', args: ['{order}', 'happy-path'] },
  { command: 'agenda' },
  { command: 'clock advance', args: ['1d'] },
  { command: 'wait order', args: ['{order}', 'requisition_created'] },
  { command: 'wait message', args: ['--order', '{order}', '--status', 'pending'] },
  { command: 'wait request', args: ['GET /v2/user'] },
  { command: 'order move', args: ['{order}', 'lost', '--force'] },
  { command: 'scenario from', args: ['{order}', '--out', '{folder}/from.yaml'] },
  { command: 'webhook messages', keeps: { message: 'data.0.id' } },
  { command: 'webhook show', args: ['{message}'] },
  { command: 'webhook resend', args: ['{message}'] },
  { command: 'webhook endpoints' },
  { command: 'webhook faults', args: ['--duplicate', '1'] },
  { command: 'webhook rotate', args: ['{endpoint}'] },
  { command: 'webhook disable', args: ['{endpoint}'] },
  { command: 'webhook enable', args: ['{endpoint}'] },
  { command: 'webhook remove', args: ['{endpoint}'] },
  { command: 'listen', args: ['--port', '0'], endless: true },
  { command: 'listen', args: ['--forward-to', 'http://127.0.0.1:9/'], endless: true },
  { command: 'events', args: ['--kinds', 'order'], endless: true, isSilent: true },
  { command: 'trigger', args: ['labtest.order.updated', '--order', '{order}'] },
  { command: 'requests list', keeps: { request: 'data.0.id' } },
  { command: 'requests show', args: ['{request}'] },
  { command: 'requests refused' },
  { command: 'requests clear' },
  { command: 'faults add', args: ['GET /v2/user', '--status', '503'] },
  { command: 'faults list', keeps: { fault: 'faults.0.id' } },
  { command: 'faults remove', args: ['{fault}'] },
  { command: 'faults clear' },
  { command: 'coverage' },
  { command: 'order register', args: ['00000000-0000-4000-8000-000000000000'], exits: 1 },
  { command: 'order book', args: ['00000000-0000-4000-8000-000000000000'], exits: 1 },
  { command: 'checkout list' },
  { command: 'checkout pay', args: ['00000000-0000-4000-8000-000000000000'], exits: 1 },
  { command: 'snapshot save', args: ['one'] },
  { command: 'snapshot list' },
  { command: 'snapshot restore', args: ['one'] },
  { command: 'snapshot drop', args: ['one'] },
  { command: 'state export', args: ['{folder}/world.json'] },
  { command: 'state import', args: ['{folder}/world.json'] },
  { command: 'clock run' },
  { command: 'reset' },
  { command: 'drift', args: ['{folder}/newer.yaml'], exits: 1, hasMarkdown: true },
  { command: 'record', args: ['--from', '{url}', '--key', KEY, '--out', '{folder}/seeds', '--zip', '85004'] },
  { command: 'verify', args: ['--against', '{url}', '--key', KEY], hasMarkdown: true },
  // Where there is nothing to stop; the others need the Petri that is running.
  { command: 'stop', args: ['--url', 'http://127.0.0.1:9'], exits: 1 },
]

/** The commands that have a call here. */
export const calledCommands = ['start', ...calls.map(({ command }) => command)]

/** The formats in which all commands can be run; those that lack one are run as text. */
export const formats = ['text', 'json', 'markdown']

/**
 * Runs all calls with `node main`, in one format, against a running Petri that is reset before. Returns those that did not
 * print or end as they should.
 */
export async function runEveryCommand({ main, url, format }) {
  const folder = mkdtempSync(join(tmpdir(), 'petri-commands-'))
  writeFileSync(join(folder, 'newer.yaml'), YAML_DESCRIPTION)
  const headers = { 'x-vital-api-key': KEY }
  await fetch(`${url}/_petri/reset`, { method: 'POST', headers })
  await fetch(`${url}/v2/user`, { headers })
  const values = { folder, url }
  const failed = []
  for (const call of calls) {
    for (const flags of flagsOf(call, format)) {
      const args = [
        ...call.command.split(' '),
        ...(call.args ?? []).map((arg) => fill(arg, values)),
        ...flags,
      ]
      const { status, stdout, stderr } = await run([main, ...args], { url, folder, isEndless: call.endless })
      const mustPrint = !call.isSilent && call.hasJson !== false
      const isJson = flags.includes('--json') && !call.endless && call.exits === undefined
      const value = isJson ? parse(stdout) : {}
      const isRight =
        status === (call.exits ?? 0) && value !== undefined && (stdout + stderr !== '' || !mustPrint)
      if (!isRight || IS_STACK.test(stderr))
        failed.push(`petri ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
      if (isJson) for (const [name, path] of Object.entries(call.keeps ?? {})) values[name] = at(path, value)
    }
  }
  return failed
}

/** The flags of each run of a call; what later calls need is read from JSON. */
function flagsOf({ keeps, hasJson = true, hasMarkdown = false }, format) {
  const json = ['--json']
  if (format === 'markdown' && hasMarkdown) return [['--markdown']]
  if (format === 'json' && hasJson) return [json]
  return keeps ? [[], json] : [[]]
}

const IS_STACK = / at .*\(.*:\d+:\d+\)/

const at = (path, value) => path.split('.').reduce((part, key) => part?.[key], value)

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? `{${name}}`)

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Runs a process in a folder of its own, without input; one that runs for ever is stopped once it has started. */
function run(args, { url, folder, isEndless }) {
  const env = { PATH: process.env.PATH, HOME: folder, PETRI_URL: url, BROWSER: 'true' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ status: error ? (error.signal === 'SIGTERM' ? 0 : error.code) : 0, stdout, stderr }),
    )
    child.stdin.end()
    if (isEndless) setTimeout(() => child.kill('SIGTERM'), 1500)
  })
}
