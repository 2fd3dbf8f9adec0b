import { spawn, spawnSync } from 'node:child_process'
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
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { version } from '../../src/api/version.ts'
import { type Started, startPetri, stop } from '../support/cli.ts'

// Every command that README and docs print is run as printed, in a folder where Petri is installed. A block is a
// fence marked `sh`. After it, a fence without a language is what it prints. More words after `sh` say what is different:
//   server      starts a Petri that later blocks of the page call
//   not-run     cannot be run here (installs from the network, starts Docker, runs all tests)

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .filter((name) => blocksOf(name).length > 0)

interface Block {
  readonly marks: readonly string[]
  readonly commands: string
  readonly prints: string | undefined
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh([^\n]*)\n([\s\S]*?)^```\n(?:\n```\n([\s\S]*?)^```$)?/gm)].map(
    ([, marks = '', commands = '', prints]) => ({
      marks: marks.trim().split(/\s+/).filter(Boolean),
      commands,
      prints,
    }),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'petri-printed-'))
mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
for (const name of ['petri', 'petri-sandbox'])
  symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'node_modules/.bin', name))
symlinkSync(join(root, 'examples'), join(folder, 'examples'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(() => void vi.unstubAllGlobals())

/** What a page prints, with `…` for anything, and any id, key and instant where it prints one. */
function patternOf(prints: string): RegExp {
  const masks = [
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '[0-9a-f-]{36}'],
    [/\b(ep|msg)_\w+/g, '\\w+'],
    [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d'],
    [/…/g, '[^]*?'],
  ] as const
  let pattern = prints.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  for (const [what, anything] of masks) pattern = pattern.replace(what, () => anything)
  return new RegExp(`^${pattern}$`)
}

/** Files that a page shows under a name, as in ```yaml mine.yaml, are there for its commands. */
function writeFilesOf(page: string): void {
  const text = readFileSync(join(root, page), 'utf8')
  for (const [, name = '', content = ''] of text.matchAll(/^```\w+ ([\w-]+\.\w+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), content)
}

const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_offline: 'true' }

/** Runs what is installed as npx does, which takes twice as long to start as Petri; a test of its own runs npx itself. */
const NPX = 'npx() { node_modules/.bin/"$@"; }; export -f npx'

async function shell(script: string, port: string) {
  const child = spawn('bash', ['-c', `set -eu\n${NPX}\n${script}`.replaceAll(':4080', `:${port}`)], {
    cwd: folder,
    env: { ...env, PETRI_URL: `http://127.0.0.1:${port}` },
  })
  const [stdout, stderr, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  return { status, stdout, stderr }
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

// A page prints up to some thirty commands, each of which starts a process.
describe.each(pages)('what %s prints', { timeout: 120_000 }, (page) => {
  it('does what it says', async () => {
    writeFilesOf(page)
    await reset(usual)
    let own: Started | undefined
    let variables = ''
    try {
      for (const { marks, commands, prints } of blocksOf(page)) {
        if (marks.includes('not-run')) continue
        if (marks.includes('server')) {
          const [, flags = ''] = /^npx petri-sandbox start ?(.*)\n$/.exec(commands) ?? []
          if (own) await stop(own.child)
          own = await startPetri(flags.split(' ').filter(Boolean))
          continue
        }
        const { port } = new URL((own ?? usual).ready.url)
        const { status, stdout, stderr } = await shell(variables + commands, port)
        if (status !== 0) expect.fail(`${commands}exit status ${status}\n${stdout}${stderr}`)
        if (prints !== undefined) expect(stdout.trim()).toMatch(patternOf(prints))
        variables += (commands.match(/^\w+=.*\n/gm) ?? []).join('')
      }
    } finally {
      if (own) await stop(own.child)
    }
  })
})

// npx itself takes seconds to start.
it('npx finds Petri where it is installed', { timeout: 60_000 }, () => {
  const { stdout } = spawnSync('npx', ['petri-sandbox', '--version'], { cwd: folder, env, encoding: 'utf8' })
  expect(stdout.trim()).toBe(version.petri)
})
