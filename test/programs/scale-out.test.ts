import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { defaults } from '../../src/defaults.ts'
import { makeFolder } from '../support/new-folder.ts'
import { root } from '../support/root.ts'

const read = (name: string) => readFileSync(join(root, 'examples/scale-out', name), 'utf8')
const folder = makeFolder('petri-scale-out-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasNginx = spawnSync('nginx', ['-v']).status === 0
if (!hasNginx) console.log('nginx is not installed: its example is not run.')

describe('the examples of examples/scale-out', () => {
  it.each(['nginx.conf', 'haproxy.cfg', 'envoy.yaml'])(
    '%s reads the key where Petri reads it, in its order',
    (name) => {
      const text = read(name).toLowerCase().replaceAll('_', '-')
      const used = text.slice(name === 'nginx.conf' ? 0 : text.indexOf('the api key'))
      const places = [...defaults.authHeaders, 'authorization'].map((header) =>
        used.search(new RegExp(`(http-|hdr\\(|header-name: )${header}`)),
      )
      expect(places.every((place) => place >= 0)).toBe(true)
      // nginx is read from the last choice to the first.
      const ordered = name === 'nginx.conf' ? places.toReversed() : places
      expect(ordered).toEqual(ordered.toSorted((a, b) => a - b))
    },
  )

  it.each(['envoy.yaml', 'kubernetes.yaml', 'kustomization.yaml'])('%s is YAML without mistakes', (name) => {
    const documents = parseAllDocuments(read(name))
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(documents.length).toBeGreaterThan(0)
  })

  it('nginx writes to /tmp only, which its pod mounts', () => {
    const written = read('nginx.conf').match(/\b(pid|\w+_temp_path|error_log|access_log) [^;]+/g)
    expect(written).toHaveLength(8)
    for (const each of written ?? []) expect(each).toMatch(/ (\/tmp\/petri-nginx[\w.-]*|stderr|off)$/)
  })

  it.runIf(hasNginx)('nginx accepts nginx.conf', () => {
    const file = join(folder, 'nginx.conf')
    const text = read('nginx.conf').replaceAll('/tmp/petri-nginx', `${folder}/nginx`)
    writeFileSync(file, text.replace(/petri-\d:4080/g, '127.0.0.1:4080'))
    const { stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' })
    expect(stderr).toContain('syntax is ok')
  })

  it.runIf(hasNginx)(
    'nginx spreads worlds over two Petris, and none is lost when one is killed',
    async () => {
      const child = spawn(
        process.execPath,
        [join(root, 'test/long/scale-out.mjs'), '--petris', '2', '--worlds', '16'],
        { env: { PATH: process.env.PATH ?? '' } },
      )
      const [stdout, stderr, [status]] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        once(child, 'close'),
      ])
      expect({ status, stdout, stderr }).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('lost, doubled or unverified: 0'),
      })
    },
  )
})
