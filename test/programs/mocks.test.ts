import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, main } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { clients, mocks, nodes, observers } from './mocks/table.ts'

/** TEST_MOCKS=all runs the whole table; a part of it shows that the rest can be run. */
const isWhole = process.env.TEST_MOCKS === 'all'
const ownNode = process.versions.node.split('.')[0] ?? ''

const folder = join(import.meta.dirname, 'mocks')
const service = 'https://api.sandbox.tryvital.io/v2/user'
/** An address of this machine for which programs use a proxy, unlike for 127.0.0.1. */
const HOST = '127.0.0.2'

const shared = makeFolder('petri-')
chmodSync(shared, 0o777)
const withoutUnshare = join(shared, 'without-unshare')
mkdirSync(withoutUnshare)
writeFileSync(join(withoutUnshare, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })

const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
const isRoot = process.getuid?.() === 0
const runs = (command: readonly string[]) => spawnSync(command[0] ?? '', command.slice(1)).status === 0

interface Mode {
  /** The command that runs another one as this mode does. */
  readonly prefix: readonly string[]
  readonly path?: string
  readonly isPossible: () => boolean
}

const path = process.env.PATH ?? ''
const otherUser = isRoot ? asNobody : []
const modes: Readonly<Record<string, Mode>> = {
  root: { prefix: [], isPossible: () => isRoot && runs(['unshare', '-m', 'true']) },
  'another user with namespaces': {
    prefix: otherUser,
    isPossible: () => runs([...otherUser, 'unshare', '-rm', 'cat', main]),
  },
  'without namespaces': {
    prefix: [],
    path: [withoutUnshare, path].join(delimiter),
    isPossible: () => true,
  },
}

/** The file of a version of Node, where every user can run it. */
function nodeFile(version: string): string {
  const file = join(shared, `node-${version}`)
  if (existsSync(file)) return file
  const npx = ['--yes', '--ignore-scripts=false', `node@${version}`, '-p', 'process.execPath']
  const found = version === ownNode ? process.execPath : spawnSync('npx', npx).stdout.toString().trim()
  copyFileSync(found, file)
  return file
}

let hits = 0
const vendor = createServer((_, response) => {
  hits += 1
  response.end('real')
})
let vendorUrl = ''
let downUrl = ''

beforeAll(async () => {
  const isInstalled = existsSync(join(folder, 'node_modules'))
  if (!isInstalled) expect(runs(['npm', 'ci', '--silent', '--prefix', folder])).toBe(true)
  await once(vendor.listen(0, HOST), 'listening')
  vendorUrl = `http://${HOST}:${(vendor.address() as AddressInfo).port}`
  downUrl = `http://${HOST}:${await freePort()}/`
}, 120_000)

afterAll(() => void vendor.close())

interface Outcome {
  readonly client: string
  readonly call: 'vendor' | 'absent' | 'down' | 'service' | 'observed'
  readonly outcome: string | number
}

interface Run {
  readonly status: number | null
  readonly outcomes: readonly Outcome[]
  readonly stderr: string
  readonly hits: number
}

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  hits = 0
  const [file = '', ...args] = command
  const child = execFile(file, args, { env: { PATH: path, HOME: shared, TMPDIR: shared, ...env } })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.on('data', (text: string) => {
      output[stream] += text
    })
  const [status] = await once(child, 'close')
  const outcomes = output.stdout.split('\n').filter(Boolean)
  return { status, outcomes: outcomes.map((line) => JSON.parse(line)), stderr: output.stderr, hits }
}

const programOf = (node: string, mock: string) => [
  nodeFile(node),
  join(folder, 'program.mjs'),
  mock,
  vendorUrl,
  downUrl,
]

const alone = new Map<string, Promise<Run>>()
/** What the program does without Petri, without its calls to the service. */
function runAlone(node: string, mock: string): Promise<Run> {
  const key = `${mock} on Node ${node}`
  const running = alone.get(key) ?? run(programOf(node, mock))
  alone.set(key, running)
  return running
}

/** Why a library does not run on a version of Node. */
function exclusion(node: string, library: string): string | undefined {
  const require = createRequire(join(folder, 'package.json'))
  const manifest = join(folder, 'node_modules', mocks[library] ?? observers[library] ?? '', 'package.json')
  const { engines } = JSON.parse(readFileSync(manifest, 'utf8'))
  const version = spawnSync(nodeFile(node), ['-p', 'process.versions.node']).stdout.toString().trim()
  const isSupported: boolean = require('semver').satisfies(version, engines?.node ?? '*')
  return isSupported ? undefined : `${library} needs Node ${engines.node}`
}

async function runWithPetri(mode: Mode, node: string, mock: string, options: readonly string[]) {
  const petri = [nodeFile(ownNode), main, 'exec', ...options, '--']
  const env = mode.path === undefined ? {} : { PATH: mode.path }
  const ended = await run([...mode.prefix, ...petri, ...programOf(node, mock), service], env)
  return withoutService(ended, clients)
}

/** A run without its calls to the service, which Petri has answered. */
function withoutService(ended: Run, callers: readonly string[]): Run {
  const isOfService = ({ call }: Outcome) => call === 'service'
  const served = ended.outcomes.filter(isOfService)
  expect(served.map(({ client }) => client)).toEqual(callers)
  expect(served.filter(({ outcome }) => !String(outcome).startsWith('200 {"users":'))).toEqual([])
  return { ...ended, outcomes: ended.outcomes.filter((each) => !isOfService(each)) }
}

const sample = { nodes: [ownNode], mocks: ['nock 13', 'MSW 2'], observers: ['vi.spyOn', 'Sentry'] }
const whole = { nodes, mocks: Object.keys(mocks), observers: Object.keys(observers) }
const table = isWhole ? whole : sample
const isMocked = ({ outcome }: Outcome) => outcome === '201 mocked'

for (const [name, mode] of Object.entries(modes)) {
  for (const node of table.nodes) {
    describe(`${name}, Node ${node}`, { timeout: 180_000 }, () => {
      it.for(table.mocks)('does with %s what it does without Petri', async (mock, { skip }) => {
        if (!mode.isPossible()) return skip('this user cannot run it here')
        const excluded = exclusion(node, mock)
        if (excluded) return skip(excluded)
        const before = await runAlone(node, mock)
        expect(before.outcomes.filter(isMocked).length).toBeGreaterThan(0)
        const { status, hits, outcomes, stderr } = await runWithPetri(mode, node, mock, [])
        expect({ status, hits, outcomes }).toEqual({
          status: before.status,
          hits: before.hits,
          outcomes: before.outcomes,
        })
        expect(stderr).not.toContain('petri exec')
        // Without namespaces, the hook alone refuses other hosts.
        if (mode.path === undefined) return
        const offline = await runWithPetri(mode, node, mock, ['--offline'])
        expect(offline.outcomes.filter(isMocked)).toEqual(before.outcomes.filter(isMocked))
      })
    })
  }
}

/** `undici` itself is not covered. */
const intercepted = clients.filter((client) => client !== 'undici')

for (const node of table.nodes) {
  describe(`petri.intercept() on Node ${node}`, { timeout: 180_000 }, () => {
    it.for([...table.mocks, ...table.observers])('leaves %s as it is', async (library, { skip }) => {
      const excluded = exclusion(node, library)
      if (excluded) return skip(excluded)
      const runInProcess = (order: string) =>
        run([nodeFile(node), join(folder, 'in-process.mjs'), library, order, vendorUrl, service])
      const { status, hits, outcomes } = await runInProcess('without')
      expect(outcomes.length).toBeGreaterThan(0)
      for (const order of ['before', 'after'])
        expect(withoutService(await runInProcess(order), intercepted)).toMatchObject({
          status,
          hits,
          outcomes,
        })
    })
  })
}
