import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/api/version.ts'
import { freePort, type Started, startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { root } from '../support/root.ts'

// Every command that README and docs print is run as printed, in a folder where Petri is installed. scripts/walk.mjs says
// how; scripts/newcomer.sh does the same on a clean machine. The tutorials install packages: scripts/ci/tutorials.sh follows them.

interface Block {
  readonly marks: readonly string[]
}
interface Terminal {
  readonly folder: string
  readonly port: string
  readonly env: Readonly<Record<string, string>>
  readonly prelude: string
}
const {
  blocksOf,
  partsOf,
  walk,
}: {
  blocksOf(part: string): Block[]
  partsOf(page: string): string[]
  walk(part: string, terminal: Terminal): Promise<void>
} = await import(join(root, 'scripts/walk.mjs'))

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md') && name !== 'docs/tutorial.md')
  .flatMap((name) => partsOf(join(root, name)))
  .filter((part) => blocksOf(part).length > 0)
  .map((part) => part.replace(root, ''))

/** A new folder in which Petri is installed, with the examples of the repository. */
function installedFolder(): string {
  const folder = makeFolder('petri-printed-')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/petri-sandbox'))
  for (const name of ['petri', 'petri-sandbox'])
    symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'node_modules/.bin', name))
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  return folder
}

openNetwork()

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
async function portOf(page: string): Promise<string> {
  if (blocksOf(page).some(({ marks }) => marks.includes('server') && !marks.includes('clean')))
    return freePort()
  await reset(usual)
  return new URL(usual.ready.url).port
}

// A page prints up to some thirty commands, each of which starts a process.
describe.each(pages)('what %s prints', { timeout: 120_000 }, (name) => {
  it('does what it says', async () => {
    const page = join(root, name)
    const folder = installedFolder()
    try {
      await walk(page, { folder, port: await portOf(page), env: envOf(folder), prelude: SHORTCUTS })
    } finally {
      rmSync(folder, { recursive: true, force: true })
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
