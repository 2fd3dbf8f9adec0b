import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readOpenApi } from '../../src/api/read-openapi.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { createUser, orderForPatient } from '../support/orders.ts'
import { KEY } from '../support/petri.ts'
import { servePetri } from '../support/served.ts'

const folder = makeFolder('petri-drift-')
const served = JSON.parse(await readOpenApi())

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
  it('ends with 0 where nothing differs', { tags: 'slow' }, async () => {
    const { status, stdout } = await runPetri(['drift', write('same.json', served)])
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^No differences between version/),
    })
  })

  it('ends with 1 where something does, as text, JSON or Markdown, from JSON or YAML', {
    tags: 'slow',
  }, async () => {
    const file = write('newer.json', newer)
    expect(await runPetri(['drift', file])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Operations\n  + GET /v9/made_up\n'),
    })
    expect(await runPetri(['drift', file, '--markdown'])).toMatchObject({
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

  it('leaves out what an earlier answer had, and what Petri does on purpose', { tags: 'slow' }, async () => {
    const file = write('newer.json', newer)
    const accepted = write('accepted.json', (await runPetri(['drift', file, '--json'])).stdout)
    expect(await runPetri(['drift', file, '--accept', accepted])).toAnswer(0)
    const { '/v3/order/create': _, ...published } = served.paths
    const less = write('less.json', { ...served, paths: published })
    expect(await runPetri(['drift', less])).toAnswer(0)
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
  ])('ends with 2 and a sentence for %s', { tags: 'slow' }, async (name, content, message) => {
    const file = content === undefined ? join(folder, name) : write(name, content)
    const { status, stdout, stderr } = await runPetri(['drift', file])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`${file} ${message}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('refuses a folder and two formats', async () => {
    expect(await runPetri(['drift', folder])).toMatchObject({
      status: 2,
      stderr: `${folder} is a folder, not a file.\n`,
    })
    expect(await runPetri(['drift', folder, '--json'])).toMatchObject({
      status: 2,
      stderr: `{"detail":"${folder} is a folder, not a file."}\n`,
    })
    const same = write('same.json', served)
    expect(await runPetri(['drift', same, '--json', '--markdown'])).toMatchObject({
      status: 2,
      stderr: '{"detail":"--json and --markdown are two formats; leave out one of them."}\n',
    })
  })
})

describe('petri drift --mine', { tags: 'slow' }, () => {
  openNetwork()

  /** What Petri serves, changed. */
  function changed(name: string, change: (document: typeof served) => void): string {
    const document = structuredClone(served)
    document.info.version = '9.9.9'
    change(document)
    return write(name, document)
  }

  const mine = (file: string, url: string, ...args: string[]) =>
    runPetri(['drift', file, '--mine', '--url', url, '--api-key', KEY, '--json', ...args])

  it('shows which calls and fields that a program has used break, and no others', async () => {
    const petri = await servePetri()
    const user = await createUser(petri)
    const order = await orderForPatient(petri, { user })
    await petri.get(`/v3/order/${order.id}`)
    await petri.get('/v3/orders?page=1')
    const file = changed('broken.json', ({ paths, components: { schemas } }) => {
      // Not used: an operation, a parameter, a field that is never sent, and fields and values that are new.
      delete paths['/v2/providers']
      paths['/v3/orders'].get.parameters = paths['/v3/orders'].get.parameters.filter(
        ({ name }: { name: string }) => name !== 'size' && name !== 'page',
      )
      delete schemas.NewOrder.properties.passthrough
      schemas.Order.properties.note = { type: 'string' }
      // Used.
      delete paths['/v2/user'].post
      delete schemas.PatientDetailsInput.properties.dob
      schemas.NewOrder.required.push('priority')
      delete schemas.Order.properties.sample_id
      schemas.Order.properties.user_id = { type: 'integer' }
    })
    const { status, stdout } = await mine(file, petri.url)
    const { differences, used } = JSON.parse(stdout)
    expect({ status, calls: used.calls }).toEqual({ status: 1, calls: 5 })
    expect(
      differences
        .map(({ where, change, path }: Record<string, string>) =>
          [where, change, path].filter(Boolean).join(' '),
        )
        .sort(),
    ).toEqual([
      'GET /v3/order/{order_id} changed answer.user_id',
      'GET /v3/order/{order_id} gone answer.sample_id',
      'GET /v3/orders changed answer.orders[].user_id',
      'GET /v3/orders gone answer.orders[].sample_id',
      'GET /v3/orders gone query.page',
      'POST /v2/user gone',
      'POST /v3/order changed answer.order.user_id',
      'POST /v3/order changed request.priority',
      'POST /v3/order gone answer.order.sample_id',
      'POST /v3/order gone request.patient_details.dob',
    ])
  })

  it('ends with 0 where nothing that is used breaks, and leaves out what is accepted', async () => {
    const petri = await servePetri()
    await createUser(petri)
    const other = changed('other-calls.json', ({ paths }) => void delete paths['/v2/providers'])
    expect(await mine(other, petri.url)).toAnswer(0)
    const file = changed('no-users.json', ({ paths }) => void delete paths['/v2/user'].post)
    const { status, stdout } = await mine(file, petri.url)
    expect(status).toBe(1)
    expect(await mine(file, petri.url, '--accept', write('mine.json', stdout))).toAnswer(0)
  })

  it('takes the calls of all worlds together', async () => {
    const petri = await servePetri()
    await createUser(petri)
    const second = (await petri.post('/_petri/worlds', { name: 'second' })).body
    await fetch(`${petri.url}/v2/providers`, { headers: { 'x-service-api-key': second.api_key } })
    const file = changed('two-worlds.json', ({ paths }) => {
      delete paths['/v2/user'].post
      delete paths['/v2/providers']
      delete paths['/v3/lab_tests']
    })
    const all = (...args: string[]) => runPetri(['drift', file, '--all-worlds', '--url', petri.url, ...args])
    const { status, stdout } = await all('--mine', '--json')
    const { differences, used } = JSON.parse(stdout)
    expect({ status, calls: used.calls }).toEqual({ status: 1, calls: 2 })
    expect(differences.map(field('where')).sort()).toEqual(['GET /v2/providers', 'POST /v2/user'])
    expect(await all()).toMatchObject({
      status: 2,
      stderr: '--all-worlds says what --mine is about, which is missing.\n',
    })
    expect(await all('--mine', '--api-key', KEY)).toAnswer(2)
    await petri.delete(`/_petri/worlds/${second.team_id}`)
    expect(JSON.parse((await all('--mine', '--json')).stdout).differences).toHaveLength(1)
  })

  it('needs the control token to read all worlds, if Petri has one', async () => {
    const petri = await servePetri({ controlToken: 'let-me-in' })
    await createUser(petri)
    const same = write('same-worlds.json', served)
    const all = (environment: Record<string, string>) =>
      runPetri(['drift', same, '--mine', '--all-worlds', '--url', petri.url], environment)
    expect(await all({})).toMatchObject({ status: 2, stderr: expect.stringMatching(/token/i) })
    expect(await all({ PETRI_CONTROL_TOKEN: 'let-me-in' })).toMatchObject({ status: 0, stderr: '' })
  })

  it('ends with 2 where no program has called, or no Petri is there', async () => {
    const petri = await servePetri()
    const same = write('same.json', served)
    expect(await mine(same, petri.url)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`No program has called ${petri.url} with this key.`),
    })
    expect(await mine(same, 'http://127.0.0.1:1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No answer from http://127.0.0.1:1'),
    })
  })
})
