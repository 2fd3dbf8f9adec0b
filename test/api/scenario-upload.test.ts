import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { makeFolder } from '../support/new-folder.ts'
import {
  address,
  advance,
  createUser,
  kitTestId,
  orderForPatient,
  orderKit,
  patient,
  readFollowed,
  readOrder,
  statusesOf,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const YAML = `name: mine
summary: A kit that is lost.
method: testkit
match: { zip: "00444" }
steps:
  - { after: 1h, status: requisition_created, only: registered_kit }
  - { after: 1d, status: transit_customer }
  - { after: 1d, status: lost }
`

const petri = forEachTest()

const upload = (name: string, body: unknown, contentType = 'application/yaml', to = petri) =>
  to.call('PUT', `/_petri/scenarios/${name}`, body, { 'content-type': contentType })
const names = async () => (await petri.read('/_petri/scenarios')).data.map(field('name'))

describe('an uploaded scenario', () => {
  it('is followed by name and by ZIP code, in this world only, until the reset', async () => {
    const { body: other } = await petri.post('/_petri/worlds', { frozen: true })
    const answer = await upload('mine', YAML)
    expect(answer).toAnswer(200, { name: 'mine', uploaded: true, source: YAML })
    expect(answer.body.statuses.registered_kit.at(-1)).toMatchObject({ status: 'failed.testkit.lost' })
    const asked = await orderForPatient(petri, { scenario: 'mine' })
    const magic = await orderForPatient(petri, { zip: '00444' })
    await advance(petri, '3d')
    for (const { id } of [asked, magic]) {
      expect(statusesOf(await readOrder(petri, id)).at(-1)).toBe('failed.testkit.lost')
    }
    const elsewhere = { 'x-service-api-key': other.api_key }
    expect(await petri.get('/_petri/scenarios/mine', elsewhere)).toAnswer(404)
    await petri.post('/_petri/reset')
    expect(await petri.get('/_petri/scenarios/mine')).toAnswer(404)
  })

  it.each([
    ['text/yaml', YAML],
    ['application/json', JSON.stringify({ source: YAML })],
    [
      'application/json',
      JSON.stringify({
        name: 'mine',
        summary: 'x',
        method: 'testkit',
        steps: [{ after: '1h', status: 'cancelled' }],
      }),
    ],
  ])('may come as %s: %.20s', async (contentType, body) => {
    expect(await upload('mine', body, contentType)).toAnswer(200, { name: 'mine' })
    expect(await names()).toContain('mine')
  })

  it('replaces a bundled one of its name and ZIP code until it is removed', async () => {
    const bundled = await petri.read('/_petri/scenarios/lost-on-the-way-out')
    expect(bundled.uploaded).toBe(false)
    await upload(
      'lost-on-the-way-out',
      YAML.replace('mine', 'lost-on-the-way-out').replace('00444', bundled.zip),
    )
    const order = await orderForPatient(petri, { zip: bundled.zip })
    expect(await readFollowed(petri, order.id)).toMatchObject({
      scenario: 'lost-on-the-way-out',
      next_due: '2026-01-05T10:00:00.000Z',
    })
    expect((await names()).filter((name: string) => name === 'lost-on-the-way-out')).toHaveLength(1)
    expect(await petri.delete('/_petri/scenarios/lost-on-the-way-out')).toAnswer(204)
    expect(await petri.read('/_petri/scenarios/lost-on-the-way-out')).toEqual(bundled)
    expect(await petri.delete('/_petri/scenarios/lost-on-the-way-out')).toAnswer(409)
    expect(await petri.delete('/_petri/scenarios/lost-on-the-way-ot')).toAnswer(404)
  })

  it('gives an order that is placed by its ZIP code its method, also where a bundled one has the same', async () => {
    const walk = `name: walk\nsummary: A visit.\nmethod: walk_in_test\nmatch: { zip: "00112" }\nsteps:\n  - { after: 1h, status: requisition_created }\n`
    expect(await upload('walk', walk)).toAnswer(200)
    const { status, body } = await petri.post('/_petri/orders', { zip: '00112' })
    expect([status, body.details?.type]).toEqual([201, 'walk_in_test'])
    expect([body.scenario, body.warning]).toEqual(['walk', null])
    const kit = (await petri.post('/_petri/orders', { zip: '00112', method: 'testkit' })).body
    expect([kit.scenario, kit.warning]).toEqual([
      'happy-path',
      'The ZIP code 00112 selects walk, which is for walk_in_test; this order is testkit.',
    ])
    const none = (await petri.post('/_petri/orders', { zip: '00498' })).body
    expect([none.scenario, none.warning]).toEqual(['happy-path', 'The ZIP code 00498 selects no scenario.'])
    for (const input of [{ zip: '00500' }, { zip: '00498', scenario: 'manual' }])
      expect((await petri.post('/_petri/orders', input)).body.warning).toBeNull()
    const completed = (await petri.post('/_petri/orders', { zip: '00498', status: 'completed' })).body
    expect([completed.scenario, completed.warning]).toEqual([null, null])
  })

  it('is left by the orders that follow it when another takes its name, and not when it comes once more', async () => {
    await upload('mine', YAML)
    const order = await orderKit(petri, { scenario: 'mine' })
    await upload('mine', YAML)
    expect(await readFollowed(petri, order.id)).toMatchObject({
      left_because: null,
      next_due: '2026-01-06T09:00:00.000Z',
    })
    await upload('mine', YAML.replace('after: 1h', 'after: 2h'))
    expect(await readFollowed(petri, order.id)).toMatchObject({
      left_because: 'another mine was uploaded',
      dropped: ['transit_customer', 'lost'],
    })
    expect((await petri.read('/_petri/clock')).pending).toBe(0)
  })

  it('cannot be removed while it is the default of the world or of a user', async () => {
    await upload('mine', YAML)
    await petri.patch('/_petri/world', { scenario: 'mine' })
    expect((await readFollowed(petri, (await orderKit(petri)).id)).scenario).toBe('mine')
    expect(await petri.delete('/_petri/scenarios/mine')).toAnswer(409)
    await petri.patch('/_petri/world', { scenario: 'manual' })
    const user = await createUser(petri, 'grace')
    await petri.put(`/_petri/users/${user}/scenario`, { scenario: 'mine' })
    expect(await petri.delete('/_petri/scenarios/mine')).toAnswer(409)
    await petri.put(`/_petri/users/${user}/scenario`, { scenario: null })
    expect(await petri.delete('/_petri/scenarios/mine')).toAnswer(204)
    await petri.post('/_petri/reset')
    expect((await petri.read('/_petri/world')).scenario).toBe('happy-path')
  })

  it('survives a restart, and orders go on with it', { tags: 'slow' }, async () => {
    const { start } = dataFolder()
    const first = await start()
    await upload('mine', YAML, 'application/yaml', first)
    const order = await orderForPatient(first, { scenario: 'mine' })
    await first.close()
    const second = await start()
    await advance(second, '3d')
    const body = await readOrder(second, order.id)
    expect(body.last_event.status).toBe('failed.testkit.lost')
    await second.close()
  })
})

describe('a scenario of an order that was scheduled for later', () => {
  it('begins on its day, also after a restart without a request for a scenario', async () => {
    const { start } = dataFolder()
    const first = await start()
    const { body } = await first.post('/v3/order', {
      user_id: await createUser(first),
      lab_test_id: await kitTestId(first),
      patient_details: patient,
      patient_address: address,
      activate_by: '2026-01-08',
    })
    await first.close()
    const second = await start({ scenarios: [makeFolder('petri-own-')] })
    await advance(second, '3d')
    expect(await readFollowed(second, body.order.id)).toMatchObject({
      scenario: 'happy-path',
      next: 'collecting_sample.testkit.transit_customer',
    })
    await second.close()
  })
})

describe('an invalid scenario', () => {
  it('is refused as a whole, with file, line, step and the legal moves', async () => {
    const answer = await upload('mine', YAML.replace('transit_customer', 'completed'))
    expect(answer).toAnswer(422)
    expect(answer.body.detail).toHaveLength(2)
    expect(answer.body.detail[0]).toEqual({
      type: 'scenario_invalid',
      loc: ['body', 'steps', 1],
      msg: expect.stringContaining('cannot become completed; legal: transit_customer, '),
      input: { after: '1d', status: 'completed' },
      ctx: {
        file: 'mine',
        line: 7,
        step: 2,
        legal: expect.arrayContaining(['transit_customer', 'cancelled']),
      },
    })
    expect(await names()).not.toContain('mine')
  })

  it('is refused with line numbers of the sent text, also for JSON', async () => {
    const wrong = {
      ...{ name: 'mine', summary: 'x', method: 'testkit' },
      steps: [{ after: '1h', status: 'transit_custmer' }],
    }
    const entry = async (text: string) => (await upload('mine', text, 'application/json')).body.detail[0]
    expect(await entry(JSON.stringify(wrong))).toMatchObject({
      loc: ['body', 'steps', 0, 'status'],
      msg: expect.stringContaining('Did you mean "transit_customer"?'),
      input: 'transit_custmer',
      ctx: { line: 1, step: 1 },
    })
    const lines = JSON.stringify(wrong, null, '\t').split('\n')
    const line = lines.findIndex((text) => text.includes('transit_custmer')) + 1
    expect((await entry(lines.join('\n'))).ctx).toMatchObject({ line })
    expect((await entry(JSON.stringify({ source: YAML.replace('1d', 'soon') }))).ctx).toMatchObject({
      line: 7,
    })
  })

  it('is not found by its own path, and refused as a choice', async () => {
    for (const kind of ['scenarios', 'feeds']) {
      expect(await petri.get(`/_petri/${kind}/nothing`)).toAnswer(404)
      expect(await petri.delete(`/_petri/${kind}/nothing`)).toAnswer(404)
    }
    const order = await orderKit(petri)
    const user = await createUser(petri, 'grace')
    const choices = [
      ['PUT', `/_petri/orders/${order.id}/scenario`],
      ['PUT', `/_petri/users/${user}/scenario`],
      ['PUT', `/_petri/users/${user}/feed`],
      ['PUT', '/_petri/world/feed'],
      ['PATCH', '/_petri/world'],
      ['POST', '/_petri/worlds'],
    ] as const
    for (const [method, path] of choices) {
      expect([path, (await petri.call(method, path, { scenario: 'nothing' })).status]).toEqual([path, 400])
    }
  })

  it('does not replace the existing one', async () => {
    await upload('mine', YAML)
    await upload('mine', YAML.replace('1h', 'soon'))
    expect((await petri.read('/_petri/scenarios/mine')).source).toBe(YAML)
  })

  it.each([
    ['of another name', YAML.replace('mine', 'other'), 'the scenario is named other'],
    ['with an unknown key', `${YAML}webhooks: {}\n`, 'Did you mean "webhook_faults"?'],
    ['too deep', '['.repeat(100_000), ''],
  ])('is refused %s', async (_, body, message) => {
    const answer = await upload('mine', body)
    expect(answer).toAnswer(422)
    expect(answer.body.detail[0]).toMatchObject({
      type: 'scenario_invalid',
      msg: expect.stringContaining(message),
      ctx: { file: 'mine', line: expect.any(Number) },
    })
  })

  it('is refused as JSON that is no scenario, or too long', async () => {
    expect(await upload('mine', '[1]', 'application/json')).toAnswer(422)
    expect(await upload('mine', '{"name":', 'application/json')).toAnswer(422)
    expect(await upload('mine', '#'.repeat(300_000))).toAnswer(413)
    expect(await upload('mine', '')).toAnswer(422)
  })
})
