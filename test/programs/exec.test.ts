import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { main } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { root } from '../support/root.ts'

const folder = join(import.meta.dirname, 'exec')
const program = (name: string) => join(folder, name)
const temporary = makeFolder('petri-')

interface Program {
  readonly command: readonly string[]
  /** The last line that it prints. */
  readonly prints: string
  /** Succeeds where the runtime is installed. */
  readonly needs?: readonly string[]
}

const node = (name: string) => [process.execPath, program(name)]
const python = (name: string) => ['/usr/bin/python3', program(name)]
const imports = (module: string) => ['/usr/bin/python3', '-c', `import ${module}`]
const compiled = join(temporary, 'official-client.mjs')

/** Programs that name the live service in their source. They are run as they are. */
const programs: Readonly<Record<string, Program>> = {
  'TypeScript with the enum of the official client': {
    command: [process.execPath, compiled],
    prints: 'typescript',
  },
  'node:https with the URL in the source': { command: node('literal-url.cjs'), prints: 'literal' },
  fetch: { command: node('fetch.mjs'), prints: '200' },
  'fetch of Deno': {
    command: ['deno', 'run', '--allow-all', program('fetch.mjs')],
    prints: '200',
    needs: ['deno', '--version'],
  },
  'fetch of Bun': { command: ['bun', program('fetch.mjs')], prints: '200', needs: ['bun', '--version'] },
  undici: { command: node('undici.mjs'), prints: 'undici' },
  'processes and threads that a program starts': {
    command: node('workers.mjs'),
    prints: '200\n200\n200',
  },
  'Python requests': {
    command: python('python-requests.py'),
    prints: 'requests',
    needs: imports('requests'),
  },
  'Python httpx': { command: python('python-httpx.py'), prints: 'httpx', needs: imports('httpx') },
  'Python aiohttp that reads the environment': {
    command: python('python-aiohttp.py'),
    prints: 'aiohttp',
    needs: imports('aiohttp'),
  },
  'Go http.Client': { command: ['go', 'run', program('client.go')], prints: 'go', needs: ['go', 'version'] },
  'Java HttpClient': {
    command: ['java', program('Client.java')],
    prints: 'java',
    needs: ['javac', '-version'],
  },
  curl: { command: ['sh', program('client.sh')], prints: 'curl', needs: ['curl', '--version'] },
  'Ruby net/http': { command: ['ruby', program('client.rb')], prints: 'ruby', needs: ['ruby', '--version'] },
  'PHP curl': {
    command: ['php', program('client.php')],
    prints: 'php',
    needs: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
  },
}

const runs = (command: readonly string[]) => spawnSync(command[0] ?? '', command.slice(1)).status === 0

/** Runs a command where no network but loopback exists. */
const cutOff = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const isCutOff = runs([...cutOff, 'true'])

const environment = { PATH: process.env.PATH ?? '', HOME: temporary, GOCACHE: join(temporary, 'go') }

async function exec(command: readonly string[]) {
  const [file = '', ...args] = [...(isCutOff ? cutOff : []), process.execPath, main, 'exec', '--', ...command]
  const { stdout } = await promisify(execFile)(file, args, { cwd: root, env: environment })
  return stdout.trim()
}

beforeAll(async () => {
  await build({
    entryPoints: [program('official-client.ts')],
    outfile: compiled,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
})

// Compilers and the Java virtual machine take seconds to start.
describe(`programs that name the live service run against Petri${isCutOff ? ', without a network' : ''}`, {
  timeout: 120_000,
}, () => {
  for (const [name, { command, prints, needs }] of Object.entries(programs)) {
    it(name, async ({ skip }) => {
      if (needs && !runs(needs)) return skip(`"${needs.join(' ')}" does not run here`)
      expect(await exec(command)).toBe(prints)
    })
  }

  it('workers of vitest', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    expect(await exec([process.execPath, vitest, 'run', '--root', program('vitest')])).toContain('1 passed')
  })
})
