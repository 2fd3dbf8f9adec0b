// Petri on a disk that fills up: a small tmpfs where this process may mount one, else writes that fail as they would.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, kill, pause, startServer } from '../../bench/processes.mjs'

const KEY = 'sk_us_petri'
const MAX_CALLS = 5000
/** Room left when the disk is filled, in bytes. */
const ROOM = 32 * 1024

/** Returns the number of refused calls and the kind of full disk. Reports lost data. */
export async function fillDisk(main, folder, problem) {
  const data = join(folder, 'disk')
  const disk = mountDisk(data) ?? failingDisk(folder)
  const start = async () => {
    const port = await freePort()
    const args = [
      'start',
      '--port',
      String(port),
      '--data',
      join(data, 'petri'),
      '--log',
      'silent',
      '--frozen',
    ]
    return startServer([...disk.flags, main, ...args], port, '/_petri/world', {
      environment: disk.environment,
    })
  }
  let petri = await start()
  const ask = async (method, path, body) => {
    const response = await fetch(petri.url + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-service-api-key': KEY },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  let [made, tried, refused] = [0, 0, 0]
  const addUser = async () => {
    const { status } = await ask('POST', '/v2/user', { client_user_id: `user-${tried++}` })
    if (status === 200) made++
    else if (status === 507) refused++
    else problem(`full disk: a write answered ${status}`)
    return status
  }
  const check = async (when) => {
    let answer = await ask('GET', '/v2/user?limit=1')
    // After a write that failed the world is opened again, which takes a moment.
    for (let times = 0; times < 50 && answer.status === 507; times++) {
      await pause(20)
      answer = await ask('GET', '/v2/user?limit=1')
    }
    const { status, body } = answer
    if (status !== 200 || body.total !== made)
      problem(`full disk, ${when}: ${status}, ${body.total} of ${made} users`)
  }
  try {
    await addUser()
    disk.fill()
    while (tried < MAX_CALLS && (await addUser()) === 200);
    if (refused === 0) problem('full disk: no write was refused')
    await check('while it is full')
    if ((await ask('GET', '/_petri/health')).body.status !== 'degraded')
      problem('full disk: health says nothing')
    await kill(petri)
    petri = await start()
    await check('started on it')
    disk.empty()
    for (let times = 0; times < 50 && (await addUser()) !== 200; times++) await pause(100)
    await check('with room again')
    disk.fill()
    await petri.stop()
    if (petri.child.exitCode !== 0) problem(`full disk: SIGTERM ends with ${petri.child.exitCode}`)
    disk.empty()
    petri = await start()
    await check('after the end')
    await petri.stop()
    const left = readdirSync(data, { recursive: true }).filter((name) => String(name).endsWith('.tmp'))
    if (left.length > 0) problem(`full disk: left ${left}`)
  } finally {
    await kill(petri)
    disk.remove()
  }
  return { disk: disk.name, refused }
}

/** Mounts a tmpfs; undefined if this process may not. */
function mountDisk(path) {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    name: 'tmpfs',
    flags: [],
    environment: {},
    fill() {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - ROOM)))
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', [path]),
  }
}

/** Makes the writes of Petri's process fail while a file exists. */
function failingDisk(folder) {
  const marker = join(folder, 'disk-is-full')
  return {
    name: 'injected',
    flags: ['--import', fileURLToPath(new URL('soak-failing-disk.mjs', import.meta.url))],
    environment: { SOAK_FULL_DISK: marker },
    fill: () => writeFileSync(marker, ''),
    empty: () => rmSync(marker, { force: true }),
    remove: () => rmSync(marker, { force: true }),
  }
}
