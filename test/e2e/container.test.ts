import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { explainUnwritable } from '../../src/cli/serve-petri.ts'
import { freePort, petri, startPetri, stop } from '../support/cli.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { root } from '../support/root.ts'

const isRoot = process.getuid?.() === 0

openNetwork()

/** Without blocking this process, which answers some of the probes. */
async function probe(env: Record<string, string>): Promise<number | null> {
  const child = spawn('bash', [join(root, 'packaging/healthcheck.sh')], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  return (await once(child, 'close'))[0]
}

describe('the health check of the image', () => {
  it('follows PETRI_PORT and PETRI_HOST, and fails where nothing answers', { tags: 'slow' }, async () => {
    const port = await freePort()
    const { child, ready } = await startPetri(['--port', port])
    // The first call takes longest, and the probe waits two seconds.
    expect(await fetch(`${ready.url}/_petri/health`)).toAnswer(200)
    expect(await probe({ PETRI_PORT: port })).toBe(0)
    expect(await probe({ PETRI_PORT: port, PETRI_HOST: '0.0.0.0' })).toBe(0)
    expect(await probe({ PETRI_PORT: port, PETRI_HOST: '127.0.0.2' })).toBe(1)
    await stop(child)
    expect(await probe({ PETRI_PORT: port })).toBe(1)
  })

  it('fails when what answers there is no healthy Petri', async () => {
    const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    expect(await probe({ PETRI_PORT: String((server.address() as AddressInfo).port) })).toBe(1)
    server.close()
  })

  it('is the one that the Dockerfile runs, and starts no Node', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
    expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["bash", "\/petri\/healthcheck\.sh"\]$/m)
    expect(dockerfile).toContain('COPY packaging/healthcheck.sh ./')
    expect(readFileSync(join(root, 'packaging/healthcheck.sh'), 'utf8')).not.toMatch(/^(?!#).*\bnode\b/m)
  })
})

it('the image copies files that are there', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const copied = [...dockerfile.matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace('/petri/', '')),
  )
  expect(copied).toContain('docs')
  expect(copied.filter((path) => path !== 'dist' && !existsSync(join(root, path)))).toEqual([])
})

describe('a data folder', () => {
  it('that Petri makes is ignored by git, and one that was there is left as it is', {
    tags: 'slow',
  }, async () => {
    const folder = makeFolder('petri-ignored-')
    const { child } = await startPetri(['--data', join(folder, 'new')])
    await stop(child)
    expect(readFileSync(join(folder, 'new/.gitignore'), 'utf8')).toMatch(/^\*$/m)
    const again = await startPetri(['--data', folder])
    await stop(again.child)
    expect(existsSync(join(folder, '.gitignore'))).toBe(false)
  })

  /** The program where every user may read it. */
  const program = makeFolder('petri-program-')
  beforeAll(() => {
    chmodSync(program, 0o755)
    for (const part of ['dist', 'scenarios', 'seeds', 'package.json'])
      cpSync(join(root, part), join(program, part), { recursive: true })
  })

  /** Starts Petri as a user who owns nothing here. */
  async function startAsStranger(data: string) {
    const child = spawn(
      process.execPath,
      [join(program, 'dist/cli/main.js'), 'start', '--port', '0', '--data', data],
      {
        cwd: program,
        env: { PATH: process.env.PATH ?? '' },
        ...(isRoot && { uid: 12_345, gid: 12_345 }),
      },
    )
    const [stderr, [status]] = await Promise.all([textOf(child.stderr), once(child, 'close')])
    return { stderr, status, uid: isRoot ? 12_345 : process.getuid?.() }
  }

  it.each(['a folder', 'a folder with worlds in it', 'a folder that is not there yet'])(
    'of another user is refused with what helps: %s',
    { tags: 'slow' },
    async (which) => {
      const folder = makeFolder('petri-foreign-')
      if (which.includes('worlds')) mkdirSync(join(folder, 'worlds'), { mode: 0o755 })
      chmodSync(folder, isRoot ? 0o755 : 0o555)
      const data = which.includes('not there') ? join(folder, 'new') : folder
      const { stderr, status, uid } = await startAsStranger(data)
      expect(status).toBe(1)
      expect(stderr).toContain(`User ${uid} may not write to ${data}`)
      for (const help of [`chown -R ${uid}`, '--user ', 'PETRI_DATA']) expect(stderr).toContain(help)
      expect(stderr).not.toContain('EACCES')
    },
  )

  it('on a read-only file system is refused with what helps', () => {
    const error = Object.assign(new Error('EROFS: read-only file system'), {
      code: 'EROFS',
      path: '/data/worlds',
    })
    expect(explainUnwritable(error, '/data')).toMatch(
      /^\/data is on a read-only file system\. .*PETRI_DATA=memory/,
    )
    const mkdir = Object.assign(new Error('ENOENT'), {
      code: 'ENOENT',
      syscall: 'mkdir',
      path: '/data/worlds',
    })
    expect(explainUnwritable(mkdir, '/data')).toContain('read-only file system')
    const file = Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR', path: '/data/worlds' })
    expect(explainUnwritable(file, '/data')).toContain('a part of its path is a file')
    const other = Object.assign(new Error('EIO'), { code: 'EIO', path: '/data/worlds' })
    expect(explainUnwritable(other, '/data')).toBeUndefined()
  })
})

describe('in a Kubernetes cluster with a Service called petri', { tags: 'slow' }, () => {
  const kubernetes = {
    PETRI_SERVICE_HOST: '10.96.0.7',
    PETRI_SERVICE_PORT: '4080',
    PETRI_SERVICE_PORT_HTTP: '4080',
    PETRI_PORT: 'tcp://10.96.0.7:4080',
    PETRI_PORT_4080_TCP: 'tcp://10.96.0.7:4080',
    PETRI_PORT_4080_TCP_PROTO: 'tcp',
    PETRI_PORT_4080_TCP_PORT: '4080',
    PETRI_PORT_4080_TCP_ADDR: '10.96.0.7',
  }

  it('a start ignores what the cluster sets, and says so in one line', async () => {
    const { child, before, ready } = await startPetri([], kubernetes)
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(before).toEqual([expect.objectContaining({ level: 'info' })])
    for (const name of Object.keys(kubernetes)) expect(JSON.stringify(before)).toContain(name)
    await stop(child)
  })

  it('the commands do, too', async () => {
    const { child, ready } = await startPetri()
    const { status, stderr } = await petri(['clock', '--url', ready.url], kubernetes)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    await stop(child)
  })
})
