import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isLiveHost } from '../../src/intercept/hosts.ts'
import { freePort, main, petri, startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
const example = join(root, 'examples/compose-live-names')
const compose = parse(readFileSync(join(example, 'docker-compose.yml'), 'utf8'))
const aliases: string[] = compose.services.petri.networks.default.aliases

/** A machine of its own: names of its own, a network without other machines, and port 443. */
const ownMachine = ['-rnm', 'sh', '-c']
const hasOwnMachine = spawnSync('unshare', [...ownMachine, 'mount --bind /dev/null /etc/hosts']).status === 0

openNetwork()

describe('petri start --tls', { timeout: 60_000 }, () => {
  it('serves the live host names to clients that trust what "petri ca" prints', async () => {
    const port = await freePort()
    const { child, ready } = await startPetri(['--tls', '--tls-port', port])
    expect(ready.tls_port).toBe(Number(port))
    const { stdout } = await petri(['ca', '--url', ready.url])
    const file = join(makeFolder('petri-'), 'ca.pem')
    writeFileSync(file, stdout)
    const call = async (host: string, path: string) => {
      const url = `https://${host}:${port}${path}`
      const args = [
        '-sS',
        '--cacert',
        file,
        '--resolve',
        `${host}:${port}:127.0.0.1`,
        '-w',
        ' %{http_code}',
        url,
      ]
      return (
        await run('curl', [...args, '-H', 'x-vital-api-key: sk_us_petri']).catch(({ stderr }) => ({
          stdout: stderr,
        }))
      ).stdout
    }
    expect(await call('api.sandbox.us.junction.com', '/v2/user')).toMatch(/"users":\[\].* 200$/)
    expect(await call('api.tryvital.io', '/_petri/world')).toMatch(/ 200$/)
    expect(await call('localhost', '/v2/user')).toMatch(/certificate|SSL/)
    const plain = await run('curl', ['-sS', `http://127.0.0.1:${port}/v2/user`])
    expect(plain.stdout).toBe('This port speaks TLS: call it with https://.\n')
    await stop(child)
  })

  it('keeps its authority in a folder', async () => {
    const folder = join(makeFolder('petri-'), 'tls')
    const certificates: string[] = []
    for (const port of [await freePort(), await freePort()]) {
      const { child } = await startPetri(['--tls', '--tls-folder', folder, '--tls-port', port])
      certificates.push(readFileSync(join(folder, 'ca.pem'), 'utf8'))
      await stop(child)
    }
    expect(certificates[0]).toBe(certificates[1])
    expect(statSync(join(folder, 'ca-key.pem')).mode & 0o077).toBe(0)
  })

  it('has no authority to print without TLS, and says so', async () => {
    const { child, ready } = await startPetri()
    expect(await petri(['ca', '--url', ready.url])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'This Petri serves no TLS. Start it with --tls or PETRI_TLS=true.\n',
    })
    await stop(child)
  })

  it('refuses a taken port and a folder that is none in one sentence each', async () => {
    const { child, ready } = await startPetri()
    const { port } = new URL(ready.url)
    const taken = await petri(['start', '--port', '0', '--data', 'memory', '--tls', '--tls-port', port])
    expect(taken).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^Port \d+ on 127\.0\.0\.1 is taken\. Choose another with --tls-port or PETRI_TLS_PORT;/,
      ),
    })
    const file = await petri(['start', '--port', '0', '--data', 'memory', '--tls', '--tls-folder', main])
    expect(file).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Petri cannot serve TLS .*\n$/) })
    await stop(child)
  })
})

describe('the example with the live names in compose', { timeout: 60_000 }, () => {
  it('gives Petri names of the live service only, all that the official clients use', () => {
    expect(aliases.filter((name) => !isLiveHost(name))).toEqual([])
    expect(aliases).toHaveLength(new Set(aliases).size)
  })

  for (const [language, command, prints, runtime] of [
    ['Node', `"${process.execPath}" "${example}/program.mjs"`, 'created node', process.execPath],
    ['Python', `/usr/bin/python3 "${example}/program.py"`, 'created python', '/usr/bin/python3'],
  ] as const) {
    it(`runs its program in ${language} unedited`, async ({ skip }) => {
      if (!hasOwnMachine) return skip('"unshare -rnm" does not run here')
      if (!existsSync(runtime)) return skip(`${runtime} is not installed here`)
      const folder = makeFolder('petri-')
      writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost ${aliases.join(' ')}\n`)
      const script = `
      ip link set lo up && mount --bind "${folder}/hosts" /etc/hosts
      cd "${folder}"
      PETRI_TLS=true PETRI_TLS_PORT=443 PETRI_TLS_FOLDER=tls PETRI_OPEN_WORLDS=any "${process.execPath}" "${main}" start --data memory > log &
      until "${process.execPath}" "${main}" health > /dev/null 2>&1; do :; done
      SSL_CERT_FILE=tls/ca.pem NODE_EXTRA_CA_CERTS=tls/ca.pem ${command}
      kill $!`
      const { stdout } = await run('unshare', [...ownMachine, script], {
        env: { PATH: process.env.PATH ?? '' },
      })
      expect(stdout.trim()).toBe(prints)
    })
  }
})
