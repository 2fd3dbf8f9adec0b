import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { runPetri } from '../support/cli-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'petri-drift-'))
const served = JSON.parse(readFileSync(join(packageFolder('dist'), 'openapi.json'), 'utf8'))

function write(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** What Petri serves, with one operation more. */
const newer = {
  ...served,
  info: { version: '9.9.9' },
  paths: { ...served.paths, '/v9/made_up': { get: { responses: {} } } },
}

describe('petri drift', () => {
  it('ends with 0 where nothing differs', async () => {
    const { status, stdout } = await runPetri(['drift', write('same.json', served)])
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^No differences between version/),
    })
  })

  it('ends with 1 where something does, as text, JSON or Markdown, from JSON or YAML', async () => {
    const file = write('newer.json', newer)
    expect(await runPetri(['drift', file])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Operations\n  + GET /v9/made_up\n'),
    })
    expect(await runPetri(['drift', file, '--format', 'markdown'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('| added | `GET /v9/made_up` |'),
    })
    const { openapi, info } = newer
    const paths = { '/v9/made_up': newer.paths['/v9/made_up'], '/v2/user': served.paths['/v2/user'] }
    const small = { openapi, info, paths, components: {} }
    const { status, stdout } = await runPetri(['drift', write('small.yaml', stringify(small)), '--json'])
    const { version, differences } = JSON.parse(stdout)
    expect({ status, version }).toEqual({ status: 1, version: '9.9.9' })
    expect(differences).toContainEqual({
      ...{ kind: 'operation', change: 'added', where: 'GET /v9/made_up', path: '', detail: '' },
      used_by: ['GET /v9/made_up'],
    })
  })

  it('leaves out what an earlier answer had, and what Petri does on purpose', async () => {
    const file = write('newer.json', newer)
    const accepted = write('accepted.json', (await runPetri(['drift', file, '--json'])).stdout)
    expect((await runPetri(['drift', file, '--accept', accepted])).status).toBe(0)
    const { '/v3/order/create': _, ...published } = served.paths
    const less = write('less.json', { ...served, paths: published })
    expect((await runPetri(['drift', less])).status).toBe(0)
    expect((await runPetri(['drift', less, '--all'])).stdout).toContain('  - POST /v3/order/create\n')
  })

  it.each([
    ['none.json', undefined, 'is not there.'],
    ['broken.json', '{ "openapi": ', 'cannot be read: '],
    ['broken.yaml', 'a: [', 'cannot be read: '],
    [
      'bomb.yaml',
      `a: &a [x]\n${['b a', 'c b', 'd c'].map((pair) => `${pair[0]}: &${pair[0]} [${Array(40).fill(`*${pair[2]}`)}]`).join('\n')}`,
      'cannot be read: ',
    ],
    ['list.json', '[1]', 'is not an OpenAPI document: it has no "openapi" and "paths".'],
    ['deep.json', `{"a":${'['.repeat(100_000)}`, 'cannot be read: '],
    [
      'other.json',
      { openapi: '3.1.0', paths: { '/pets': { get: {} } } },
      'has no operation that Petri serves',
    ],
    ['two.yaml', 'a: 1\n---\nb: 2\n', 'has several YAML documents; give it one.'],
    ['huge.json', ' '.repeat(32 * 1024 * 1024 + 1), 'is longer than 33554432 bytes.'],
  ])('ends with 2 and a sentence for %s', async (name, content, message) => {
    const file = content === undefined ? join(folder, name) : write(name, content)
    const { status, stdout, stderr } = await runPetri(['drift', file])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`${file} ${message}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('refuses a folder and an unknown format', async () => {
    expect(await runPetri(['drift', folder])).toMatchObject({
      status: 2,
      stderr: `${folder} is a folder, not a file.\n`,
    })
    const { status, stderr } = await runPetri(['drift', write('same.json', served), '--format', 'html'])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: '--format should be one of text, json, markdown; it is "html".\n',
    })
  })
})
