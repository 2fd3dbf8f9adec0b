import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventKinds } from '../../src/control/publish.ts'
import { connectToPetri, type LocalPetri, matchers, startPetri } from '../../src/index.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

openNetwork()

let petri: LocalPetri & { readonly url: string }
let orderId: string
beforeAll(async () => {
  petri = await startPetri({ port: 0, now: '2026-01-05T09:00:00Z' })
  orderId = (await petri.orders.place()).id
})
afterAll(() => petri.close())

/** What a caller without types can pass. */
const untyped = (options: object) => options as never

describe('the testing kit refuses', () => {
  const meant = (word: string) => `Did you mean "${word}"?`
  it.each<[string, () => Promise<unknown>, string]>([
    ['an option of startPetri', () => startPetri(untyped({ noww: 'x' })), meant('now')],
    [
      'a value of startPetri',
      () => startPetri(untyped({ frozen: 'no' })),
      'frozen should be true or false; it is "no".',
    ],
    ['a pace of startPetri', () => startPetri({ pace: -1 }), 'pace should be a number above 0; it is -1.'],
    ['a scenario of startPetri', () => startPetri({ scenario: 'hapy' }), meant('happy-path')],
    ['an option of connectToPetri', () => connectToPetri(untyped({ ulr: petri.url })), meant('url')],
    ['an option of a world', () => petri.world(untyped({ sed: 'a' })), meant('seed')],
    ['a field of an order', () => petri.orders.place(untyped({ scenaro: 'lost' })), meant('scenario')],
    ['a scenario of an order', () => petri.orders.place({ scenario: 'happy-pth' }), meant('happy-path')],
    ['a filter of orders', () => petri.orders.list(untyped({ stats: 'lost' })), meant('status')],
    ['a status to list', () => petri.orders.list({ status: 'lst' }), meant('lost')],
    ['a status to move to', () => petri.orders.move(orderId, 'lst'), meant('lost')],
    ['a status to wait for', () => petri.orders.wait(orderId, 'complted'), meant('completed')],
    [
      'an option of a wait',
      () => petri.orders.wait(orderId, 'lost', untyped({ timout: '1s' })),
      meant('timeout'),
    ],
    [
      'an order id',
      () => petri.orders.get('abc'),
      '"abc" is not an order id. petri.orders.list() lists the orders.',
    ],
    [
      'an order id for the control API',
      () => petri.orders.life('abc'),
      '"abc" is not an order id. petri.orders.list() lists the orders.',
    ],
    ['a user id', () => petri.users.get('abc'), '"abc" is not a user id.'],
    ['a filter of messages', () => petri.webhooks.messages(untyped({ evnt_type: 'x' })), meant('event_type')],
    [
      'an event type of messages',
      () => petri.webhooks.messages({ event_type: 'labtest.order.creatd' }),
      meant('labtest.order.created'),
    ],
    ['a status of messages', () => petri.webhooks.messages(untyped({ status: 'faild' })), "'failed'"],
    [
      'an event type to wait for',
      () => petri.webhooks.wait({ event_type: 'labtest.order.creatd' }),
      meant('labtest.order.created'),
    ],
    [
      'an event type of an endpoint',
      () => petri.webhooks.deliverTo('http://127.0.0.1:1/', { event_types: ['labtest.order.creatd'] }),
      meant('labtest.order.created'),
    ],
    [
      'an option of an endpoint',
      () => petri.webhooks.deliverTo('http://127.0.0.1:1/', untyped({ secrt: 'x' })),
      meant('secret'),
    ],
    ['a filter of requests', () => petri.requests.list(untyped({ staus: 404 })), meant('status')],
    ['an operation', () => petri.requests.list({ operation: 'usr_create' }), meant('user_create')],
    [
      'a field of a fault',
      () => petri.faults.set(untyped({ operation: 'user_create', time: 1 })),
      meant('times'),
    ],
    ['a feature', () => petri.set({ features: { redrws: true } }), meant('redraws')],
    ['an option of reset', () => petri.reset(untyped({ sed: 'a' })), meant('seed')],
  ])('%s that does not exist, with the nearest', async (_, act, words) => {
    await expect(act()).rejects.toThrow(words)
  })

  it('unknown statuses and event types in matchers, negated too', async () => {
    const order = await petri.orders.get(orderId)
    expect(() => matchers.toHaveStatus(order, 'complted')).toThrow(meant('completed'))
    expect(() => matchers.toHaveVisited(order, ['ordered', 'complted'])).toThrow(meant('completed'))
    await expect(matchers.toHaveDelivered(petri, 'labtest.order.creatd')).rejects.toThrow(
      meant('labtest.order.created'),
    )
    await expect(matchers.toHaveDelivered(petri, untyped({ event_tpe: 'x' }))).rejects.toThrow(
      meant('event_type'),
    )
    for (const status of ['ordered', 'testkit.ordered', 'received.testkit.ordered'])
      expect(matchers.toHaveStatus(order, status).pass).toBe(true)
    expect((await matchers.toHaveDelivered(petri, 'labtest.order.created')).pass).toBe(false)
  })
})

describe('the control API', () => {
  const post = async (headers: Record<string, string>) => {
    const response = await petri.fetch('/_petri/clock/advance', {
      method: 'POST',
      body: '{"by":"0s"}',
      headers,
    })
    return { status: response.status, body: (await response.json()) as { detail: { msg: string }[] } }
  }

  it('says that it takes JSON when the content type is another', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status, body } = await post({ 'content-type': type })
      expect(status).toBe(422)
      expect(body.detail[0]?.msg).toBe(
        `Value error, this call takes JSON, and the content type is ${type}. Send the header "content-type: application/json".`,
      )
    }
    expect(await post({ 'content-type': 'application/json; charset=utf-8' })).toAnswer(200)
  })

  it('knows all kinds of its stream', () => {
    const recorded = sourceFiles().flatMap((file) =>
      [...codeOf(file).matchAll(/\bagenda\.record\(\s*'(\w+)'/g)].map(([, kind]) => kind),
    )
    expect(recorded.length).toBeGreaterThan(8)
    expect(recorded.filter((kind) => !eventKinds.some((known) => known === kind))).toEqual([])
  })
})

describe('the command line refuses', () => {
  const folder = makeFolder('typos-')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const empty = file('empty.yaml', '# nothing yet\n')
  const misspelt = file(
    'misspelt.yaml',
    'name: misspelt\nsummary: A field is misspelt.\nmethod: testkit\nsteps:\n  - { after: 1h, statuss: lost }\n',
  )
  const run = (line: string) => runPetri(line.split(' '), { PETRI_URL: petri.url })

  it.each([
    ['lifecycle', 2, "unknown command 'lifecycle'"],
    ['events --kinds nonsense', 1, '"nonsense" is not a kind of event. The kinds are request, order,'],
    ['events --kinds order,delivry', 1, 'Did you mean "delivery"?'],
    ['order list --status nonsense', 1, '"nonsense" is not a status of an order.'],
    ['order list --status faild', 1, 'Did you mean "failed"?'],
    ['scenario try hapy', 1, 'There is no scenario "hapy". Did you mean "happy-path"?'],
    ['scenario try lost-kit', 1, 'There is no scenario "lost-kit". Did you mean "lost-on-the-way-out"?'],
    ['scenario new mine --from hapy', 1, 'Did you mean "happy-path"?'],
    ['scenario try zzzzz', 1, '`npx petri-sandbox scenario list`'],
    ['clock foo', 2, 'There is no command "clock foo".\n(see "npx petri-sandbox clock --help")'],
    ['clock advanc 3d', 2, 'Did you mean "advance"?'],
    ['clock advance idle', 2, 'Write it as an option: petri clock advance --until idle'],
    ['clock advance next', 2, 'petri clock advance --until next'],
    ['start --port 0 --data memory --scenario hapy', 1, 'Did you mean "happy-path"?'],
    ['order place --scenario walk-in-no-shwo', 1, 'walk-in-no-show'],
    ['world features redrws=true', 1, 'Did you mean "redraws"?'],
    ['world lst', 2, 'Did you mean "list"?'],
    ['advance 3d', 2, 'There is no command "advance". Did you mean "petri clock advance"?'],
    ['orders', 2, 'Did you mean order?'],
    ['user export x', 2, "unknown command 'export'"],
    ['webhook listen', 2, "unknown command 'listen'"],
    ['webhook recover', 2, "unknown command 'recover'"],
    ['webhook add http://127.0.0.1:1 --replay 2', 2, "unknown option '--replay'"],
    ['requests --unread', 2, "unknown option '--unread'"],
    ['help strat', 2, 'There is no command "strat". Did you mean "start"?'],
    [
      'listen --forward-to http://127.0.0.1:1 --events labtest.order.creatd',
      2,
      'Did you mean "labtest.order.created"?',
    ],
    ['webhook messages --type labtest.order.creatd', 1, 'Did you mean "labtest.order.created"?'],
    ['webhook add http://169.254.169.254/', 1, '169.254.169.254 is a link-local, cloud metadata'],
    ['state import nothing.json', 1, 'nothing.json is not there.'],
    ['state export /nothing/world.json', 1, 'There is no folder /nothing to write /nothing/world.json to.'],
    ['order show my-order', 1, 'List ids with `npx petri-sandbox order list`.'],
    ['order place --lab-test x', 1, '"x" is not a lab test id.'],
    ['agenda nonsense', 1, 'No id begins with "nonsense".'],
  ])('%s', async (line, status, words) => {
    const { stderr, ...result } = await run(line)
    expect({ ...result, stderr }).toEqual({ status, stdout: '', stderr: expect.stringContaining(words) })
    expect(stderr).not.toMatch(/ENOENT|\bat .*:\d+:\d+/)
  })

  it('help describes a command of a group', async () => {
    const { status, stdout } = await run('help order list')
    expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: petri order list')])
  })

  it('an empty scenario file, and a misspelt field alone', async () => {
    expect((await run(`scenario check ${empty}`)).stdout).toBe(
      `${empty}:1: the file is empty; a scenario has name, summary, method and steps\n`,
    )
    expect((await run(`scenario check ${misspelt}`)).stdout).toBe(
      `${misspelt}:5: step 1: "statuss" is not known here. Did you mean "status"?\n`,
    )
  })

  it('a data folder that cannot be, in one sentence', async () => {
    for (const [data, words] of [
      ['/proc/x', '/proc/x cannot be created: /proc takes no folders'],
      [join(empty, 'data'), 'is not a folder: a part of its path is a file.'],
    ]) {
      const { status, stdout, stderr } = await run(`start --port 0 --data ${data}`)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^Petri cannot start\. .*\n$/)
      expect(stderr).toContain(words)
    }
  })

  it('no default command of a group with its arguments', async () => {
    expect(await run('clock')).toAnswer(0)
    expect(await run('clock show')).toAnswer(0)
    expect(await run('world features redraws=true')).toAnswer(0)
  })
})

it('one order is counted as one', async () => {
  expect((await runPetri(['order', 'list'], { PETRI_URL: petri.url })).stdout).toMatch(/\n1 order\n$/)
})
