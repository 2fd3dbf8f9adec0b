import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'

const folder = makeFolder('petri-incident-')
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const event = (id: number, status: string, created_at: string) => ({
  id,
  status,
  status_detail: null,
  created_at,
})
const order = {
  id: '11111111-1111-4111-8111-111111111111',
  patient_details: { first_name: 'Grace', last_name: 'Hidden' },
  details: { type: 'testkit', data: { shipment: { outbound_courier: 'USPS' } } },
  events: [
    event(1, 'received.testkit.ordered', '2025-03-01T10:00:00Z'),
    event(2, 'received.testkit.requisition_created', '2025-03-01T12:30:00Z'),
    event(3, 'collecting_sample.testkit.transit_customer', '2025-03-02T12:30:00Z'),
    event(4, 'failed.testkit.lost', '2025-03-09T12:30:00Z'),
  ],
}

it('petri scenario from writes a scenario, plays it and says what it left out', {
  tags: 'slow',
}, async () => {
  const source = fileOf('order.json', JSON.stringify(order, null, 2))
  const out = join(folder, 'lost-kit.yaml')
  const written = await runPetri(['scenario', 'from', source, '--name', 'lost-kit', '--out', out])
  expect(written).toMatchObject({ status: 0, stderr: '' })
  expect(written.stdout).toBe(
    [
      `Created ${out}.`,
      'Left out: names, addresses, ids, dates, tracking numbers and documents.',
      'Played: it gives the same statuses, intervals, patient. Not in the record: results, webhooks.',
      '',
    ].join('\n'),
  )
  const text = readFileSync(out, 'utf8')
  expect(text).toContain('{ after: 2h30m, status: requisition_created, only: registered_kit }')
  expect(text).toContain('{ after: 7d, status: lost, only: registered_kit }')
  expect(text).not.toContain('Hidden')
  expect(text).toContain('$schema=./scenario.schema.json')
  expect(existsSync(join(folder, 'scenario.schema.json'))).toBe(true)
  expect(await runPetri(['scenario', 'check', out])).toAnswer(0)
  const again = await runPetri(['scenario', 'from', source, '--out', out])
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists') })
})

it('petri scenario from reads JSON lines, and prints to standard output', { tags: 'slow' }, async () => {
  const lines = order.events.map((_, at) =>
    JSON.stringify({
      event_type: 'labtest.order.updated',
      data: { ...order, events: order.events.slice(0, at + 1) },
    }),
  )
  const source = fileOf('webhooks.jsonl', `${lines.join('\n')}\n`)
  const { status, stdout, stderr } = await runPetri(['scenario', 'from', source])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^# yaml-language-server.*\n\nname: incident\n/)
  expect(stderr).toContain('# Played: it gives the same statuses, intervals, patient, webhooks.')
})

it('petri scenario from a redraw begins with a redraw, in the scenario and in the test', {
  tags: 'slow',
}, async () => {
  const events = [
    event(1, 'received.walk_in_test.ordered', '2025-03-01T10:00:00Z'),
    event(2, 'received.walk_in_test.requisition_created', '2025-03-01T10:00:00Z'),
    event(3, 'completed.walk_in_test.completed', '2025-03-03T10:00:00Z'),
  ]
  const redraw = { ...order, origin: 'redraw', details: { type: 'walk_in_test', data: {} }, events }
  const source = fileOf('redraw.json', JSON.stringify(redraw))
  const out = join(folder, 'redrawn.yaml')
  const { stdout } = await runPetri(['scenario', 'from', source, '--out', out, '--test', 'vitest'])
  expect(stdout).toContain('place it with redraw: true')
  expect(stdout).toContain('Played: it gives the same statuses, intervals, patient.')
  const test = readFileSync(join(folder, 'redrawn.test.js'), 'utf8')
  expect(test).toContain('redraw: true,')
  expect(test).toContain('{"redraws":true}')
})

it('petri scenario from refuses a missing file and a wrong name', async () => {
  expect(await runPetri(['scenario', 'from', 'nope.json'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no file nope.json'),
  })
  expect(await runPetri(['scenario', 'from', 'nope.json', '--name', 'A B'])).toAnswer(2)
})

it('petri scenario from says that it is the same only if it is', { tags: 'slow' }, async () => {
  const [ordered, created, ...others] = order.events
  const unknown = event(9, 'collecting_sample.testkit.teleported', '2025-03-03T12:30:00Z')
  const source = fileOf(
    'unknown.json',
    JSON.stringify({ ...order, events: [ordered, created, unknown, ...others] }),
  )
  const { status, stdout, stderr } = await runPetri(['scenario', 'from', source])
  expect(status).toBe(0)
  const said = stdout + stderr
  expect(said).toContain(
    'Left out the status "collecting_sample.testkit.teleported", which Petri does not know.',
  )
  expect(said).not.toContain('Played: it gives the same')
})

const webhook = (at: number) => ({
  event_type: 'labtest.order.updated',
  data: { ...order, events: order.events.slice(0, at + 1) },
})
it('petri scenario from finds webhooks in lines of a log, as CloudWatch exports them', {
  tags: 'slow',
}, async () => {
  const lineOf = (at: number) =>
    JSON.stringify({ timestamp: 1740823200000 + at, message: `2025 INFO ${JSON.stringify(webhook(at))}\n` })
  const lines = ['a line without any', ...order.events.map((_event, at) => lineOf(at)), '']
  const { status, stdout, stderr } = await runPetri(['scenario', 'from', fileOf('app.log', lines.join('\n'))])
  expect({ status, stderr }).toAnswer(0)
  expect(stdout).toContain('{ after: 2h30m, status: requisition_created, only: registered_kit }')
  expect(stdout).toContain('{ after: 7d, status: lost, only: registered_kit }')
  expect(stderr).toContain('Left out 1 line of ')
})

it('petri scenario from lists the orders of a mixed file, and takes the beginning of an id', {
  tags: 'slow',
}, async () => {
  const other = { ...order, id: '22222222-2222-4222-8222-222222222222', events: order.events.slice(0, 2) }
  const source = fileOf(
    'mixed.jsonl',
    [order, other, { ...other, id: '22233333-2222-4222-8222-222222222222' }]
      .map((each) => JSON.stringify(each))
      .join('\n'),
  )
  const refused = await runPetri(['scenario', 'from', source])
  expect(refused.stderr).toContain('These are of 3 orders; choose one of them with --order: 11111111-')
  const chosen = await runPetri(['scenario', 'from', source, '--order', '1111'])
  expect(chosen).toMatchObject({ status: 0, stdout: expect.stringContaining('status: lost') })
})

it('petri scenario from names the lines with a webhook that cannot be read, also in the scenario', {
  tags: 'slow',
}, async () => {
  const lines = order.events.map((_event, at) => JSON.stringify(webhook(at)))
  const cut = lines.with(2, (lines[2] ?? '').slice(0, 400))
  const { stdout, stderr } = await runPetri(['scenario', 'from', fileOf('cut.jsonl', cut.join('\n'))])
  const said = /Could not read the webhook of \S*cut\.jsonl in line 3, ".*"\.\n/
  expect(stderr).toMatch(said)
  expect(stdout).toMatch(said)
  expect(
    (await runPetri(['scenario', 'from', fileOf('one.log', (lines[3] ?? '').slice(0, 400))])).stderr,
  ).toMatch(/The JSON of \S*one\.log is incomplete in line 1, /)
})

it('petri scenario from exits with 1 where the scenario differs, and its test has what the record has', {
  tags: 'slow',
}, async () => {
  const critical = {
    event_type: 'labtest.result.critical',
    data: { order_id: order.id, status: 'final', created_at: '2025-03-02T12:30:00Z' },
  }
  const lines = [...order.events.map((_event, at) => webhook(at)), critical]
  const source = fileOf('critical.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
  const out = join(folder, 'critical.yaml')
  const { status, stdout } = await runPetri(['scenario', 'from', source, '--out', out, '--test', 'pytest'])
  const difference = 'Played, the webhook of labtest.result.critical final comes 0 times; in the record once.'
  expect([status, stdout]).toEqual([1, expect.stringContaining(difference)])
  expect(stdout).not.toContain('Played: it gives the same')
  const test = readFileSync(join(folder, 'test_critical.py'), 'utf8')
  expect(test).toContain(`# ${difference}\n`)
  expect(test).toContain('    ("labtest.result.critical", "final"),\n]')
})

it('petri scenario from names the file, what it accepts and the first line that failed', async () => {
  const out = join(folder, 'refused.yaml')
  const source = fileOf('hello.log', 'hello\nthere\n')
  const { status, stderr } = await runPetri(['scenario', 'from', source, '--out', out])
  expect([status, existsSync(out)]).toEqual([1, false])
  expect(stderr).toMatch(
    /hello\.log is not JSON, and no line of it holds JSON; the first is line 1, "hello"\. Accepted are orders, results and webhooks as JSON or JSON lines, and logs or CSV whose lines hold JSON with "event_type"\.\n$/,
  )
})
