// What a user waits for first. Petri and what it is compared with run in turn.
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundle } from '../../scripts/bundle.mjs'
import { cpuSeconds, freePort, kill, pause, residentMb, startPetri, startReference } from '../processes.mjs'
import { call } from '../sandbox.mjs'
import { median, medianOf, medianRatio } from '../statistics.mjs'

const here = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const run = (args, env = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

const kitOf = (main) => join(main, '../../index.mjs')
const inProcess = (part, main, file) => JSON.parse(run([here('felt-kit.mjs'), part, file, kitOf(main)]))

/** In a process of its own, as each test file is. */
export function measureKit({ main, facts, rounds }) {
  const firsts = []
  const peers = []
  const files = []
  for (let round = -1; round < rounds; round++) {
    const sum = (times) => ({ ...times, all: times.import + times.start + times.order })
    const [first, peer] = [sum(inProcess('first', main, facts)), sum(inProcess('peer', main, facts))]
    const began = performance.now()
    run(['--test', here('felt-tests.mjs')], { PETRI_KIT: kitOf(main) })
    if (round < 0) continue
    files.push((performance.now() - began) / 1000)
    firsts.push(first)
    peers.push(peer)
  }
  const lives = Array.from({ length: 3 }, () => inProcess('lives', main, facts))
  return {
    firstImport: medianOf(firsts, 'import'),
    firstStart: medianOf(firsts, 'start'),
    firstOrder: medianOf(firsts, 'order'),
    firstAll: medianOf(firsts, 'all'),
    firstOverPeer: medianRatio(firsts, peers, 'all'),
    life: medianOf(lives, 'life'),
    world: medianOf(lives, 'world'),
    advanceMonth: medianOf(lives, 'advance'),
    testFile: median(files),
  }
}

/** Histories of the sample app a second: both in one process, and by URL. */
export async function measureHistories({ main, folder }) {
  const outfile = join(folder, 'felt-app.mjs')
  await bundle({ entryPoints: ['bench/felt-app.ts'], outfile })
  const { perSecond } = inProcess('histories', main, outfile)
  const { serveSampleApp } = await import(pathToFileURL(outfile).href)
  const port = await freePort()
  const secret = `whsec_${Buffer.from('a-secret-for-this-bench.').toString('base64')}`
  const { url, stop } = await serveSampleApp(`http://127.0.0.1:${port}`, 'sk_us_petri', secret)
  const program = ['--webhook', `${url}/webhooks`, '--check', `${url}/orders/{order_id}`, '--at', 'status']
  const options = ['--port', String(port), '--webhook-secret', secret, '--runs', '200', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'explore', ...program, ...options], {
    cwd: folder,
  })
  stop()
  return { histories: perSecond, historiesByUrl: JSON.parse(stdout).perSecond }
}

/** Milliseconds after its first answer at which a server is at rest. */
const REST_MS = 400

/** Starts servers on new folders. `/v2/user` checks key and query and reads the store. */
export async function measureStart({ main, folder, facts, rounds }) {
  const path = '/v2/user'
  const servers = {
    bare: () => startReference('bare-hono', facts),
    memory: () => startPetri(main, 'memory', { path }),
    folder: (round) => startPetri(main, join(folder, `start-${round}`), { path }),
  }
  const measured = { bare: [], memory: [], folder: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of Object.entries(servers)) {
      const server = await start(round)
      await pause(REST_MS)
      const mb = residentMb(server)
      const before = cpuSeconds(server.child.pid)
      if (name !== 'bare') await call(server.url, 'POST', '/_petri/orders', { body: {} })
      const orderMs = 1000 * (cpuSeconds(server.child.pid) - before)
      measured[name].push({ ...server, mb, orderMs })
      await kill(server)
    }
  }
  return {
    start: medianRatio(measured.folder, measured.bare, 'startCpuMs'),
    startMemory: medianRatio(measured.memory, measured.bare, 'startCpuMs'),
    servedOrder: medianOf(measured.memory, 'orderMs'),
    rss: medianRatio(measured.folder, measured.bare, 'mb'),
  }
}

/** Seconds of CPU of a program and of those that it starts. */
function secondsOf(args) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null'
  const command = ['-c', script, 'bash', process.execPath, ...args]
  const { status, stderr } = spawnSync('bash', command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ')
  return Number(user) + Number(system)
}

/** `petri exec` around an empty program, and a command that calls a running Petri, in turn with the empty program alone. */
export async function measureCommands({ main, rounds }) {
  const petri = await startPetri(main, 'memory')
  const execs = []
  const lists = []
  for (let round = 0; round < rounds; round++) {
    const alone = secondsOf(['-e', ''])
    execs.push(secondsOf([main, 'exec', '--', process.execPath, '-e', '']) - alone)
    lists.push(secondsOf([main, 'order', 'list', '--url', petri.url]) / alone)
  }
  await petri.stop()
  return { exec: median(execs), command: median(lists) }
}
