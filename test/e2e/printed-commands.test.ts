import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
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
    ([, marks = '', commands = '', prints]) => ({ marks: marks.trim().split(/\s+/).filter(Boolean), commands, prints }),
  )
}

const folder = mkdtempSync(join(tmpdir(), 'petri-printed-'))
mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'node_modules/.bin/petri'))
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

describe.each(pages)('what %s prints', (page) => {
  it('does what it says', { timeout: 120_000 }, async () => {
    let started: Started = await startPetri()
    try {
      const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_offline: 'true' }
      const variables: string[] = []
      for (const { marks, commands, prints } of blocksOf(page)) {
        if (marks.includes('not-run')) continue
        if (marks.includes('server')) {
          await stop(started.child)
          const [, ...flags] = /npx petri start ?(.*)/.exec(commands)?.[1] === undefined ? [] : ['', ...commands.trim().split(' ').slice(3)]
          started = await startPetri(flags)
          continue
        }
        const { port } = new URL(started.ready.url)
        const script = `set -eu\n${variables.join('')}${commands}`.replaceAll(':4080', `:${port}`)
        const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...env, PETRI_PORT: port } })
        let output = ''
        let errors = ''
        child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
        child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
        const [status] = await once(child, 'close')
        expect({ commands, status, output, errors: status === 0 ? '' : errors }).toMatchObject({ status: 0 })
        if (prints !== undefined) expect(output.trim()).toMatch(patternOf(prints))
        variables.push(...(commands.match(/^\w+=.*\n/gm) ?? []))
      }
    } finally {
      await stop(started.child)
    }
  })
})
