import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { main } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'

const folder = makeFolder('petri-')
const url = 'https://api.sandbox.tryvital.io/v2/user'

const files = {
  'call.mjs': `const response = await fetch('${url}', { headers: { 'x-vital-api-key': 'test' } })
if (!response.ok || !('users' in await response.json())) process.exit(1)`,
  'child.mjs': `import { spawnSync } from 'node:child_process'
const env = { PATH: process.env.PATH, ...JSON.parse(process.argv[2]) }
process.exitCode = spawnSync(process.execPath, ['call.mjs'], { env }).status`,
  'kept.mjs': `import { spawnSync } from 'node:child_process'
const { NODE_OPTIONS } = process.env
process.exitCode = spawnSync(process.execPath, ['call.mjs'], { env: { NODE_OPTIONS } }).status`,
  'spawned.mjs': `import { exec } from 'node:child_process'
exec(process.execPath + ' call.mjs', { env: {} }).on('exit', (status) => { process.exitCode = status })`,
  'thread.mjs': `import { Worker } from 'node:worker_threads'
new Worker('./call.mjs', { env: {} }).on('exit', (status) => { process.exitCode = status })`,
  'package.json': '{ "scripts": { "test": "NODE_OPTIONS=--experimental-vm-modules node call.mjs" } }',
  'call.py': `import json, sys, urllib.request
request = urllib.request.Request('${url}', headers={'x-vital-api-key': 'test'})
opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if sys.argv[1:] else []))
assert 'users' in json.load(opener.open(request))`,
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

const node = process.execPath
const curl = `curl -sSf -H 'x-vital-api-key: test' ${url}`
const python = '/usr/bin/python3'
/** Lets a program of Node read its own folder only. */
const permission = `${Number.parseInt(process.versions.node, 10) > 20 ? '--permission' : '--experimental-permission'} --allow-fs-read=${folder}/*`

/** Processes and threads to which a program of Node gives an environment of their own. */
// biome-ignore format: a table is read by its columns.
const startedByNode = [
  [`${node} child.mjs '{}'`,                               'served'],
  [`${node} child.mjs '{"NODE_OPTIONS":"--no-warnings"}'`, 'served'],
  [`${node} kept.mjs`,                                     'served'],
  [`${node} spawned.mjs`,                                  'served'],
  [`${node} thread.mjs`,                                   'served'],
  [`node ${permission} call.mjs`,                          'served'],
] as const

/** Programs that set the environment of their processes, and whether Petri serves or something refuses their calls. */
// biome-ignore format: a table is read by its columns.
const programs: readonly (readonly [command: string, outcome: 'served' | 'refused'])[] = [
  ['npm test --silent',                                    'served'],
  ['NODE_OPTIONS=--experimental-vm-modules node call.mjs', 'served'],
  ['NODE_OPTIONS= node call.mjs',                          'served'],
  ['env -u NODE_OPTIONS node call.mjs',                    'served'],
  ['env -i PATH="$PATH" node call.mjs',                    'served'],
  ['PATH=/usr/bin:/bin node call.mjs',                     'served'],
  ['HTTPS_PROXY= https_proxy= node call.mjs',              'served'],
  [`NODE_OPTIONS=--no-warnings ${node} call.mjs`,          'served'],
  [`env -i ${node} call.mjs`,                              'refused'],
  [`env -u PETRI_EXEC_RUN ${node} call.mjs`,               'refused'],
  ...startedByNode,
  ['NODE_EXTRA_CA_CERTS= node call.mjs',                   'served'],
  [curl,                                                   'served'],
  [`env -i ${curl}`,                                       'served'],
  [`NO_PROXY=* no_proxy=* ${curl}`,                        'served'],
  [`env -u HTTPS_PROXY -u https_proxy setsid ${curl}`,     'served'],
  [`${python} call.py`,                                    'served'],
  [`env -i ${python} call.py`,                             'served'],
  [`NO_PROXY=* no_proxy=* ${python} call.py`,              'served'],
  [`${python} call.py without-a-proxy`,                    'served'],
]

/** Runs a command in a network namespace whose only way out counts packets, and prints their number last. */
const counting = [
  'ip link set lo up',
  'ip link add out type veth peer name other',
  'sysctl -qw net.ipv6.conf.all.disable_ipv6=1',
  'ip link set out arp off',
  'ip addr add 198.51.100.2/24 dev out',
  'ip link set other up && ip link set out up',
  'ip route add default dev out',
  '"$@"',
  'echo "status $?"',
  `ip -s -j link show out | ${node} -pe 'JSON.parse(require("fs").readFileSync(0))[0].stats64.tx.packets'`,
].join('\n')
const counted = ['unshare', '-rnm', 'sh', '-c', `mount -t sysfs sysfs /sys\n${counting}`, 'sh']

const canCount = /^status 0\n0\n$/m.test(
  spawnSync(counted[0] ?? '', [...counted.slice(1), 'true']).stdout.toString(),
)

async function run(
  command: readonly string[],
): Promise<{ lines: string[]; packets: number; stderr: string }> {
  const [file = '', ...args] = [...counted, ...command]
  // npm looks for a newer npm, at another host.
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_update_notifier: 'false' }
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd: folder, env })
  const lines = stdout.trim().split('\n')
  return { lines: lines.slice(0, -2), packets: Number(lines.at(-1)), stderr }
}

/** A script that prints the outcome of each command. */
const outcomesOf = (commands: readonly (readonly [command: string, outcome: string])[]) =>
  commands
    .map(([command]) => `if ( ${command} ) > /dev/null 2>&1; then echo served; else echo refused; fi`)
    .join('\n')

describe.skipIf(!canCount)('programs that set their own environment', { timeout: 300_000 }, () => {
  it('reach other hosts without petri exec, as the count of packets tells', async () => {
    const { packets } = await run(['curl', '-s', '--max-time', '1', 'http://203.0.113.7/'])
    expect(packets).toBeGreaterThan(0)
  })

  it.each([[[]], [['--offline']]])('send no packet to another host under petri exec %j', async (options) => {
    const { lines, packets } = await run([
      node,
      main,
      'exec',
      ...options,
      '--',
      'sh',
      '-c',
      outcomesOf(programs),
    ])
    expect(Object.fromEntries(programs.map(([command], at) => [command, lines[at]]))).toEqual(
      Object.fromEntries(programs),
    )
    expect(packets).toBe(0)
  })

  it('send none either where no namespace is allowed, which is said, if Node starts them', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const script = outcomesOf(startedByNode)
    const petri = [node, main, 'exec', '--offline', '--', 'sh', '-c', script]
    const { lines, packets, stderr } = await run(['env', `PATH=${bin}:${process.env.PATH}`, ...petri])
    expect(lines).toEqual(startedByNode.map(([, outcome]) => outcome))
    expect(packets).toBe(0)
    expect(stderr).toMatch(/^petri exec --offline: this system creates no network namespace, [^\n]*\n$/)
  })
})
