import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { version } from '../../src/api/version.ts'
import { freePort, type Started, startPetri, stop } from '../support/cli.ts'

// Every command that README and docs print is run as printed, in a folder where Petri is installed, one block after the
// other: each finds the processes, ports and files that the blocks before it have left. A block is a fence marked `sh`.
// After it, a fence without a language is what it prints. More words after `sh` say what is different:
//   server      starts a Petri that later blocks of the page call, and that runs until the page ends
//   after-stop  with server: the Petri before it is stopped first, as with Ctrl C; the first of a page follows a usual start
//   background  runs until the page ends, in a terminal of its own
//   not-run     cannot be run here (installs from the network, starts Docker, runs all tests)
// A fence `text server` or `text background` is what the process started before has printed by then.

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .filter((name) => blocksOf(name).length > 0)

interface Block {
  readonly marks: readonly string[]
  /** Undefined for what a process that keeps running prints. */
  readonly commands: string | undefined
  readonly prints: string | undefined
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  const fences =
    /^```sh([^\n]*)\n([\s\S]*?)^```\n(?:\n```\n([\s\S]*?)^```$)?|^```text (server|background)\n([\s\S]*?)^```$/gm
  return [...text.matchAll(fences)].map(([, marks = '', commands, prints, process, printed]) =>
    process
      ? { marks: [process], commands: undefined, prints: printed }
      : { marks: marks.trim().split(/\s+/).filter(Boolean), commands, prints },
  )
}

/** A new folder in which Petri is installed, with the examples of the repository. */
function installedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petri-printed-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/petri-sandbox'))
  for (const name of ['petri', 'petri-sandbox'])
    symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'node_modules/.bin', name))
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  return folder
}

beforeEach(() => void vi.unstubAllGlobals())

/** What a page prints, with `…` for anything, and any id, key and instant where it prints one. */
function patternOf(prints: string): RegExp {
  const masks = [
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '[0-9a-f-]{36}'],
    [/\b(ep|msg)_\w+/g, '\\w+'],
    [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d'],
    [/^\d\d:\d\d:\d\d/gm, '\\d\\d:\\d\\d:\\d\\d'],
    [/\n?…/g, '[^]*?'],
  ] as const
  let pattern = prints.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  for (const [what, anything] of masks) pattern = pattern.replace(what, () => anything)
  return new RegExp(`^${pattern}$`)
}

/** Files that a page shows under a name, as in ```yaml mine.yaml, are there for its commands. */
function writeFilesOf(page: string, folder: string): void {
  const text = readFileSync(join(root, page), 'utf8')
  for (const [, name = '', content = ''] of text.matchAll(/^```\w+ ([\w-]+\.\w+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), content)
}

const envOf = (folder: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  npm_config_offline: 'true',
  GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
})

/**
 * Runs what is installed as npx does, which takes twice as long to start as Petri; a test of its own runs npx itself.
 * npm start runs what is built; npm ci and npm install have been run.
 */
const SHORTCUTS = `
npx() { node_modules/.bin/"$@"; }
npm() { case "$1 \${2:-}" in "ci "*|"install "*) ;; "start "*) shift; [ "\${1:-}" != -- ] || shift; npx petri-sandbox start "$@";; *) exit 9;; esac; }
export -f npx npm`

interface Terminal {
  readonly folder: string
  /** The port of the Petri that the page calls. */
  readonly port: string
}

/** Runs the commands of a block in bash, with the port of the page in place of Petri's default port. */
function launch(commands: string, { folder, port }: Terminal): ChildProcess {
  const script = `set -eu\n${SHORTCUTS}\n${commands}`
    .replaceAll(':4080', `:${port}`)
    .replace('webhook listen --add', '$& --port 0')
  // A process group of its own, so that what a shell has started can be stopped with it.
  return spawn('bash', ['-c', script], {
    cwd: folder,
    env: {
      ...envOf(folder),
      PETRI_PORT: port,
      PETRI_URL: `http://127.0.0.1:${port}`,
      PETRI_LOG: 'info,pretty',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** What was printed, with the ports that the page shows. */
const asShown = (printed: string, { port }: Terminal): string =>
  printed
    .replaceAll(`:${port}`, ':4080')
    .replace(' --url http://127.0.0.1:4080', '')
    .replace(/(Listening on http:\/\/127\.0\.0\.1):\d+/, '$1:3000')
    .trim()

/** A process that keeps running, and what it has printed so far. */
interface Running {
  readonly child: ChildProcess
  printed: string
}

function launchRunning(commands: string, terminal: Terminal): Running {
  const running: Running = { child: launch(commands, terminal), printed: '' }
  for (const stream of [running.child.stdout, running.child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      running.printed += text
    })
  return running
}

async function stopGroup({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGINT')
  await closed
}

async function finish(commands: string, terminal: Terminal): Promise<string> {
  const child = launch(commands, terminal)
  const [stdout, stderr, [status]] = await Promise.all([
    textOf(child.stdout as Readable),
    textOf(child.stderr as Readable),
    once(child, 'close'),
  ])
  if (status !== 0) expect.fail(`${commands}exit status ${status}\n${stdout}${stderr}`)
  return stdout
}

/** Starts a process that keeps running, and waits until a Petri answers or anything is printed. */
async function start(commands: string, terminal: Terminal, isServer: boolean): Promise<Running> {
  const running = launchRunning(commands, terminal)
  const { child } = running
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) return
      if (isServer) await fetch(`http://127.0.0.1:${terminal.port}/_petri/health`)
      expect(running.printed).not.toBe('')
    },
    { timeout: 20_000, interval: 50 },
  )
  if (child.exitCode !== null) expect.fail(`${commands}exit status ${child.exitCode}\n${running.printed}`)
  return running
}

/** The Petri of all pages that start none of their own, reset for each. */
let usual: Started
beforeAll(async () => {
  usual = await startPetri()
})
afterAll(() => stop(usual.child))

async function reset({ ready }: Started): Promise<void> {
  const headers = { 'x-service-api-key': ready.api_key }
  const { status } = await fetch(`${ready.url}/_petri/reset`, { method: 'POST', headers })
  expect(status).toBe(200)
}

/** The port of a page: a free one if the page starts a Petri of its own. */
async function portOf(blocks: readonly Block[]): Promise<string> {
  if (blocks.some(({ marks }) => marks.includes('server'))) return freePort()
  await reset(usual)
  return new URL(usual.ready.url).port
}

// A page prints up to some thirty commands, each of which starts a process.
describe.each(pages)('what %s prints', { timeout: 120_000 }, (page) => {
  it('does what it says', async () => {
    const blocks = blocksOf(page).filter(({ marks }) => !marks.includes('not-run'))
    const terminal = { folder: installedFolder(), port: await portOf(blocks) }
    writeFilesOf(page, terminal.folder)
    const running = new Map<string, Running>()
    const stopAll = async () => {
      await Promise.all([...running.values()].map(stopGroup))
      running.clear()
    }
    let variables = ''
    try {
      if (blocks.find(({ marks }) => marks.includes('server'))?.marks.includes('after-stop'))
        running.set('server', await start('npx petri-sandbox start', terminal, true))
      for (const { marks, commands, prints } of blocks) {
        const keepsRunning = marks.find((mark) => mark === 'server' || mark === 'background')
        if (commands === undefined) {
          const process = running.get(keepsRunning ?? '')
          const pattern = patternOf(`${prints?.trim()}…`)
          await vi.waitFor(() => expect(asShown(process?.printed ?? '', terminal)).toMatch(pattern), 10_000)
        } else if (keepsRunning) {
          if (marks.includes('after-stop')) await stopAll()
          running.set(keepsRunning, await start(commands, terminal, keepsRunning === 'server'))
        } else {
          const stdout = await finish(variables + commands, terminal)
          if (prints !== undefined) expect(asShown(stdout, terminal)).toMatch(patternOf(prints))
          variables += (commands.match(/^\w+=.*\n/gm) ?? []).join('')
        }
      }
    } finally {
      await stopAll()
      rmSync(terminal.folder, { recursive: true, force: true })
    }
  })
})

// npx itself takes seconds to start.
it('npx finds Petri where it is installed', { timeout: 60_000 }, () => {
  const folder = installedFolder()
  const { stdout } = spawnSync('npx', ['petri-sandbox', '--version'], {
    cwd: folder,
    env: envOf(folder),
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  expect(stdout.trim()).toBe(version.petri)
})
