import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { hasNetwork } from '../../src/intercept/namespace.ts'
import { freePort, main, petri, startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const node = (script: string) => [process.execPath, '-e', script]
const users = 'https://api.sandbox.tryvital.io/v2/user'
const headers = "{ 'x-vital-api-key': 'test' }"

describe('petri exec', { timeout: 60_000 }, () => {
  it.each([
    ['0 of a command that succeeds', ['true'], 0],
    ['that of a command that fails', ['sh', '-c', 'exit 7'], 7],
    ['128 and the number of the signal that ended it', ['sh', '-c', 'kill -KILL $$'], 137],
    ['127 for a command that does not exist', ['no-such-command'], 127],
    ['127 for a command without a name', [''], 127],
    ['126 for a file that is not executable', [import.meta.filename], 126],
    ['126 for a name that is too long', ['x'.repeat(100_000)], 126],
  ])('ends with the status %s', async (_, command, status) => {
    const ended = await petri(['exec', '--', ...command])
    expect(ended).toAnswer(status)
    expect(ended.stderr).not.toMatch(/\n +at /)
    expect(ended.stderr.length).toBeLessThan(500)
  })

  it('passes the streams through, and adds nothing to standard output', async () => {
    const child = spawn(process.execPath, [main, 'exec', '--', 'sh', '-c', 'cat; echo beside >&2; exit 1'])
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => {
      stdout += text
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.stdin.end('a\0b\n')
    expect(await once(child, 'close')).toEqual([1, null])
    expect(stdout).toBe('a\0b\n')
    expect(stderr).toMatch(
      /^beside\npetri exec: .* ended with status 1\. At Petri:\n {2}No call reached Petri\.\n$/,
    )
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    'passes %s on to the command',
    async (signal) => {
      const script = `process.on('${signal}', () => process.exit(42)); console.log('ready'); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, [main, 'exec', '--', ...node(script)])
      await once(child.stdout, 'data')
      child.kill(signal)
      expect(await once(child, 'close')).toEqual([42, null])
    },
  )

  it('ends with 128 and the number of a signal that it passed on, when that ended the command', async () => {
    const child = spawn(process.execPath, [main, 'exec', '--', 'sh', '-c', 'echo ready; exec sleep 60'])
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([128 + 15, null])
  })

  it.each([
    ['while it starts', []],
    ['while the program under test is not ready', ['--start', 'sleep 60', '--ready', 'http://127.0.0.1:9/']],
  ])('ends with 128 and the number of a signal that arrives %s, and leaves no file', async (_, options) => {
    const folder = makeFolder('petri-')
    const env = { PATH: process.env.PATH ?? '', TMPDIR: folder }
    const child = spawn(process.execPath, [main, 'exec', ...options, '--', 'sleep', '60'], { env })
    await vi.waitUntil(() => readdirSync(folder).length > 0, { timeout: 30_000 })
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([128 + 15, null])
    expect(readdirSync(folder)).toEqual([])
  })

  it('takes options of the command that Petri has too', async () => {
    const { stdout } = await petri(['exec', '--', 'echo', '--json', '--help', '--', '--url'])
    expect(stdout).toBe('--json --help -- --url\n')
  })

  it('gives the command a key where it has none, and takes the options of the start', async () => {
    const script = `fetch(process.env.PETRI_URL + '/_petri/world', { headers: { 'x-vital-api-key': process.env.VITAL_API_KEY } })
      .then((response) => response.json()).then(({ api_key, seed, clock }) => console.log(api_key, seed, clock.frozen))`
    const { stdout } = await petri([
      'exec',
      '--api-key',
      'sk_us_mine',
      '--seed',
      'x',
      '--frozen',
      '--',
      ...node(script),
    ])
    expect(stdout).toBe('sk_us_mine x true\n')
  })

  it('takes a user that Petri has not issued with --adopt-users, in the world of any key', async () => {
    const script = `fetch('${users}/7c9e6679-7425-40de-944b-e07fc1f90ae7', { headers: ${headers} }).then(({ status }) => console.log(status))`
    expect((await petri(['exec', '--', ...node(script)])).stdout).toBe('404\n')
    expect((await petri(['exec', '--adopt-users', '--', ...node(script)])).stdout).toBe('200\n')
  })

  it.each(['--webhook', '--webhook-url'])(
    'says on failure what went wrong at Petri: calls, deliveries of %s, orders that wait',
    async (flag) => {
      const script = `
      const petri = (method, path, body) => fetch(process.env.PETRI_URL + path, {
        method,
        headers: { 'x-vital-api-key': process.env.PETRI_API_KEY, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      await petri('POST', '/v2/user', {})
      await petri('POST', '/v2/user', {})
      await petri('POST', '/_petri/orders', { registrable: true })
      await petri('POST', '/_petri/clock/advance', { until: 'idle' })
      process.exit(1)`
      const { stderr, stdout } = await petri([
        'exec',
        '--frozen',
        flag,
        'http://127.0.0.1:9/hook',
        '--',
        process.execPath,
        '--input-type=module',
        '-e',
        script,
      ])
      expect(stdout).toBe('')
      expect(stderr).toContain('422  POST /v2/user: client_user_id: Field required (2 times)')
      expect(stderr).toMatch(/Failed deliveries:\n +labtest\.order\.\w+: Connection refused: /)
      expect(stderr).toMatch(/collecting_sample\.testkit\.with_customer: waits for registration/)
    },
  )

  it('starts the program under test beside it, waits until it is ready, and stops all of it', async () => {
    const port = await freePort()
    const server = `require('http').createServer((_, answer) => answer.end('up')).listen(${port}); console.log('serving')`
    const check = `fetch('http://127.0.0.1:${port}').then((response) => response.text()).then(console.log)`
    const start = `true && "${process.execPath}" -e "${server}"`
    const url = `http://127.0.0.1:${port}/`
    const { status, stdout, stderr } = await petri([
      'exec',
      '--quiet',
      '--start',
      start,
      '--ready',
      url,
      '--',
      ...node(check),
    ])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'up\n', stderr: 'serving\n' })
    await expect(fetch(url)).rejects.toThrow()
  })

  it('uses a running Petri in a new world, whatever key the program carries', async () => {
    const { child, ready } = await startPetri()
    const script = `fetch('${users}', { method: 'POST', headers: { ...${headers}, 'content-type': 'application/json' }, body: '{"client_user_id":"a"}' })
      .then(({ status }) => { console.log(status, process.env.PETRI_URL); process.exit(1) })`
    const secret = `whsec_${btoa('s'.repeat(24))}`
    const { stdout } = await petri(['exec', '--url', ready.url, '--seed', 'x', '--', ...node(script)], {
      VITAL_WEBHOOK_SECRET: secret,
    })
    expect(stdout).toBe(`200 ${ready.url}\n`)
    const response = await fetch(`${ready.url}/_petri/worlds`)
    const { data } = (await response.json()) as { data: { seed: string; counts: object }[] }
    expect(data).toMatchObject([
      { counts: { users: 0 } },
      { seed: 'x', counts: { users: 1 }, webhook_secret: secret },
    ])
    await petri(['exec', '--url', ready.url, '--', 'true'])
    const after = (await (await fetch(`${ready.url}/_petri/worlds`)).json()) as { data: object[] }
    expect(after.data).toHaveLength(2)
    await stop(child)
  })

  it('refuses all but the live hosts and this machine with --offline, and names them', async () => {
    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const script = `
      const get = (url) => fetch(url, { headers: ${headers} }).then(({ status }) => status, ({ cause }) => cause.message)
      get('${users}').then(console.log).then(() => get('http://127.0.0.1:${port}')).then(console.log)
        .then(() => get('https://example.com')).then(console.log)`
    const { stdout, stderr } = await petri(['exec', '--offline', '--', ...node(script)])
    expect(stdout).toBe('200\n200\npetri exec --offline: refused a connection to example.com, port 443\n')
    expect(stderr).toMatch(/Hosts refused by --offline:\n +example\.com:443\n$/)
    other.close()
  })

  it('keeps its files from others, and removes them', async () => {
    const folder = makeFolder('petri-')
    const list =
      'find "$TMPDIR"/petri-exec-* -perm /077 ! -name hosts ! -name system-roots.pem; ls "$TMPDIR"/petri-exec-*'
    const { stdout } = await petri(['exec', '--', 'sh', '-c', list], { TMPDIR: folder })
    expect(stdout.split('\n')).toContain('SSL_CERT_FILE.pem')
    expect(stdout).not.toContain(folder)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['no command', ['exec'], {}, 'Name the command to run after "--", as in "petri exec -- npm test".'],
    ['an unknown option', ['exec', '--frozn', '--', 'true'], {}, "unknown option '--frozn'"],
    [
      'a temporary folder that is not there',
      ['exec', '--', 'true'],
      { TMPDIR: '/no/such/folder' },
      'Set TMPDIR',
    ],
    [
      'a URL that is none',
      ['exec', '--ready', 'x', '--', 'true'],
      {},
      '--ready should be an http or https URL',
    ],
    [
      'a program that is not ready',
      ['exec', '--start', 'exit 3', '--ready', 'http://127.0.0.1:9', '--', 'true'],
      {},
      'it ended with status 3',
    ],
    [
      'settings that a running Petri has already',
      ['exec', '--url', 'http://127.0.0.1:9', '--port', '1', '--', 'true'],
      {},
      '--port cannot be combined with --url',
    ],
  ] as const)('refuses %s in one sentence', async (_, args, env, reason) => {
    const { status, stderr } = await petri(args, env)
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/\n +at /)
  })

  it('refuses a taken port in one sentence', async () => {
    const { child, ready } = await startPetri()
    const { port } = new URL(ready.url)
    const { status, stderr } = await petri(['exec', '--port', port, '--', 'true'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken\.[^\n]*\n$/)
    await stop(child)
  })

  it.skipIf(process.getuid?.() === 0)('refuses an unwritable temporary folder in one sentence', async () => {
    const folder = join(makeFolder('petri-'), 'closed')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const { stderr } = await petri(['exec', '--', 'true'], { TMPDIR: folder })
    expect(stderr).toMatch(
      /^petri exec cannot write its temporary files: this user may not write to [^\n]*\n$/,
    )
  })

  it('says when a program trusts only certificates of its own', async () => {
    const folder = makeFolder('petri-')
    writeFileSync(join(folder, 'own.pem'), rootCertificates[0] ?? '')
    const script = `require('https').get('${users}', { ca: [] }, () => {}).on('error', () => process.exit(1))`
    for (const command of [node(script), ['curl', '-sS', '--cacert', join(folder, 'own.pem'), users]]) {
      const { stderr } = await petri(['exec', '--', ...command])
      expect(stderr).toMatch(
        /does not trust the certificate of this run[^\n]*\n +api\.sandbox\.tryvital\.io\n/,
      )
    }
  })

  it('ends with the status of a command that removes the temporary folder', async () => {
    const folder = makeFolder('petri-')
    const { status, stderr } = await petri(['exec', '--', 'sh', '-c', 'rm -r "$TMPDIR"; exit 3'], {
      TMPDIR: folder,
    })
    expect(status).toBe(3)
    expect(stderr).not.toMatch(/\n +at /)
  })

  it('redirects a program that changes its folder when the temporary folder is a relative one', async () => {
    const folder = makeFolder('petri-')
    mkdirSync(join(folder, 'mine'))
    const script = `fetch('${users}', { headers: ${headers} }).then(({ status }) => console.log(status))`
    const command = ['sh', '-c', `cd / && exec "${process.execPath}" -e "$0"`, script]
    const { stdout, stderr } = await petri(['exec', '--', ...command], { TMPDIR: 'mine' }, folder)
    expect({ stdout, stderr }).toEqual({ stdout: '200\n', stderr: '' })
  })

  it('removes the folder of a run that was killed, at the next run', async () => {
    const folder = makeFolder('petri-')
    const env = { PATH: process.env.PATH ?? '', TMPDIR: folder }
    const child = spawn(process.execPath, [main, 'exec', '--', 'sh', '-c', 'echo ready; exec cat'], { env })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(readdirSync(folder)).toHaveLength(1)
    await petri(['exec', '--', 'true'], { TMPDIR: folder })
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves a program that outlives the run, and those that it starts, to themselves', async () => {
    const result = join(makeFolder('petri-'), 'result')
    const start = `"${process.execPath}" -e "console.log(1)" > ${result}`
    const script = `while [ -d "$(dirname "$NODE_EXTRA_CA_CERTS")" ]; do sleep 0.05; done; ${start}`
    await petri(['exec', '--', 'sh', '-c', `( ${script} ) > /dev/null 2>&1 &`])
    await vi.waitUntil(() => existsSync(result) && readFileSync(result, 'utf8') === '1\n', {
      timeout: 20_000,
    })
  })

  it('sends nothing to the host that a path with two slashes seems to name', async () => {
    const other = createServer((_, response) => response.end('other')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { child, ready } = await startPetri()
    const script = `require('https').get({ host: 'api.tryvital.io', path: '//127.0.0.1:${port}/', headers: ${headers} },
      (response) => { console.log(response.statusCode); response.resume() })`
    const { stdout } = await petri(['exec', '--url', ready.url, '--', ...node(script)])
    expect(stdout).toBe('404\n')
    other.close()
    await stop(child)
  })

  it('goes on when the URL of --ready answers without end', async () => {
    const endless = createServer((_, response) => void response.write('x')).listen(0, '127.0.0.1')
    await once(endless, 'listening')
    const { port } = endless.address() as AddressInfo
    expect(await petri(['exec', '--ready', `http://127.0.0.1:${port}`, '--', 'true'])).toAnswer(0)
    endless.closeAllConnections()
    endless.close()
  })

  it('asks again when the URL of --ready accepts a connection and does not answer', async () => {
    const requests: string[] = []
    const server = createServer(({ url = '' }, response) => {
      if (requests.push(url) > 1) response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { status } = await petri(['exec', '--ready', `http://127.0.0.1:${port}/health`, '--', 'true'])
    expect({ status, requests }).toEqual({ status: 0, requests: ['/health', '/health'] })
    server.close()
  })

  it('kills what the program of --start has started, if it ignores that it shall end', async () => {
    const pidFile = join(makeFolder('petri-'), 'pid')
    const deaf = `trap "" TERM; echo $$ > ${pidFile}; while :; do sleep 0.1; done`
    const start = `sh -c '${deaf}' & wait`
    const command = ['sh', '-c', `while [ ! -s ${pidFile} ]; do sleep 0.05; done`]
    await petri(['exec', '--start', start, '--', ...command])
    const pid = Number(readFileSync(pidFile, 'utf8'))
    // The process ends with the run; its id, when the system's first process collects it.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 20_000 })
  })

  it('says on failure that events had no receiver', async () => {
    const script = `fetch('${users}', { method: 'POST', headers: { ...${headers}, 'content-type': 'application/json' }, body: '{"client_user_id":"a"}' })
      .then((response) => response.json())
      .then(({ user_id }) => fetch('https://api.tryvital.io/v2/link/connect/demo', { method: 'POST', headers: { ...${headers}, 'content-type': 'application/json' }, body: JSON.stringify({ user_id, provider: 'oura' }) }))
      .then(() => process.exit(1))`
    const { stderr } = await petri(['exec', '--', ...node(script)])
    expect(stderr).toMatch(/\d+ events had no receiver: --webhook URL names one\.\n$/)
  })
  it('starts with the key and the secret of the program, and changes none of its variables', async () => {
    const own = {
      VITAL_API_KEY: 'sk_us_own',
      VITAL_BASE_URL: 'https://api.sandbox.tryvital.io/v2',
      VITAL_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
    }
    const script = `const { VITAL_API_KEY, VITAL_BASE_URL, VITAL_WEBHOOK_SECRET, PETRI_API_KEY, PETRI_WEBHOOK_SECRET } = process.env
      console.log(JSON.stringify([VITAL_API_KEY, VITAL_BASE_URL, VITAL_WEBHOOK_SECRET, PETRI_API_KEY, PETRI_WEBHOOK_SECRET]))`
    const valuesWith = async (options: string[], env: Record<string, string>) =>
      JSON.parse((await petri(['exec', '--quiet', ...options, '--', ...node(script)], env)).stdout)
    const { VITAL_API_KEY: key, VITAL_BASE_URL: base, VITAL_WEBHOOK_SECRET: secret } = own
    expect(await valuesWith([], own)).toEqual([key, base, secret, key, secret])
    expect(await valuesWith(['--api-key', 'sk_us_other'], own)).toEqual([
      key,
      base,
      secret,
      'sk_us_other',
      secret,
    ])
    const [given, none, givenSecret, ...sameAsPetri] = await valuesWith([], {})
    expect(none).toBe(null)
    expect(sameAsPetri).toEqual([given, givenSecret])
  })

  it('leaves a secret that cannot be used alone, and says so', async () => {
    const env = { VITAL_WEBHOOK_SECRET: 'shared-secret' }
    const { stdout, stderr } = await petri(['exec', '--quiet', '--', 'printenv', 'VITAL_WEBHOOK_SECRET'], env)
    expect(stdout).toBe('shared-secret\n')
    expect(stderr).toMatch(/^VITAL_WEBHOOK_SECRET should be "whsec_"[^\n]* the program keeps its own\.\n$/)
  })

  it('opens the organisation for any management key and organisation id', async () => {
    const url = 'https://api.management.junction.com/v1/org/7c9e6679-7425-40de-944b-e07fc1f90ae7/team'
    const script = `fetch('${url}', { headers: { 'x-management-key': 'own' } }).then(({ status }) => console.log(status))`
    expect((await petri(['exec', '--', ...node(script)])).stdout).toBe('200\n')
    expect((await petri(['exec', '--control-token', 'x', '--', ...node(script)])).stdout).toBe('401\n')
  })

  it('says that no call reached Petri, unless told to be quiet', async () => {
    expect((await petri(['exec', '--', 'true'])).stderr).toMatch(/^petri exec: No call reached Petri\./)
    expect((await petri(['exec', '--quiet', '--', 'true'])).stderr).toBe('')
  })

  it.each([
    ['a damaged line', 'echo "{" >> "$1"'],
    ['a folder in their place', 'rm "$1" && mkdir "$1"'],
  ])('keeps the status of a command that leaves %s in the reports', async (_, damage) => {
    const reports = `"$(echo "$TMPDIR"/petri-exec-*/reports.jsonl)"`
    const command = ['sh', '-c', `sh -c '${damage}' sh ${reports}; exit 3`]
    const { status, stderr } = await petri(['exec', '--', ...command], {
      TMPDIR: makeFolder('petri-'),
    })
    expect(status).toBe(3)
    expect(stderr).toContain('damaged the file of reports')
  })

  it('names a process that outlives the run, and gives it the names of the system again', async () => {
    const folder = makeFolder('petri-')
    const daemon = `until [ -e ${folder}/ended ]; do sleep 0.05; done; grep -c tryvital /etc/hosts > ${folder}/result`
    const command = ['sh', '-c', `grep -c tryvital /etc/hosts; (${daemon}) > /dev/null 2>&1 &`]
    const { stderr } = await petri(['exec', '--quiet', '--', ...command])
    expect(stderr).toMatch(/^petri exec: Process \d+ \(sh\) is still running\./)
    writeFileSync(join(folder, 'ended'), '')
    await vi.waitUntil(
      () => existsSync(join(folder, 'result')) && readFileSync(join(folder, 'result'), 'utf8'),
    )
    expect(readFileSync(join(folder, 'result'), 'utf8')).toBe('0\n')
  })

  it.skipIf(spawnSync('unshare', ['-rm', 'true']).status !== 0).each(['exec', 'explore'])(
    'ends %s in one sentence when the temporary folder is full',
    async (command) => {
      const folder = makeFolder('petri-')
      const script = `mount -t tmpfs -o size=32k none ${folder} && TMPDIR=${folder} exec "$@"`
      const run = ['-rm', 'sh', '-c', script, 'sh', process.execPath, main, command, '--', 'true']
      const { status, stderr } = spawnSync('unshare', run, { cwd: tmpdir(), timeout: 30_000 })
      expect(status).toBeGreaterThan(0)
      expect(stderr.toString()).toMatch(/cannot write its temporary files: [^\n]*\n$/)
    },
  )

  // Without a network there is nothing to refuse; exec-environment.test.ts makes one where it can.
  it.runIf(hasNetwork())(
    'says that --offline relies on variables where no namespace is allowed',
    async () => {
      const folder = makeFolder('petri-')
      writeFileSync(join(folder, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      const env = { PATH: `${folder}:${process.env.PATH}` }
      const { stderr } = await petri(['exec', '--offline', '--quiet', '--', 'true'], env)
      expect(stderr).toMatch(/^petri exec --offline: this system creates no network namespace, [^\n]*\n$/)
    },
  )

  it('does not name a host as pinned that was called after a first refused handshake', async () => {
    const script = `curl -s --cacert /dev/null ${users}; curl -s -o /dev/null ${users}; exit 1`
    const { stderr } = await petri(['exec', '--', 'sh', '-c', script])
    expect(stderr).not.toContain('does not trust the certificate')
  })
})
