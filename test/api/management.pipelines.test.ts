import { describe, expect, it } from 'vitest'
import { setTarget } from '../../src/resources/etl/service.ts'
import { deliveryState } from '../../src/webhooks/state.ts'
import { createTransport } from '../../src/webhooks/transport.ts'
import { events } from '../../src/world/events.ts'
import { managing, teamIdOf } from '../support/management.ts'
import { advance } from '../support/orders.ts'
import { NOBODY, startTestPetri } from '../support/petri.ts'
import { startHeardPetri } from '../support/receiver.ts'
import { told, wearer } from '../support/wearables.ts'

const ETL = '/team_etl_pipelines/sandbox/us'
const EHR = '/team_ehr_pipelines/sandbox/us'
const TARGET = '/_petri/etl/target'
const URL = 'http://pipeline.test/events'
const rabbitmq = { uri: 'amqps://petri:guest-password@mq.example/events', exchange: 'events' }
const toRabbit = { preferences: { preferred: 'rabbitmq', enabled: ['rabbitmq', 'svix'] }, rabbitmq }

/** A Petri whose pipelines are delivered to a receiver that answers `statuses`, one after the other. */
async function receiving(statuses: number[] = []) {
  const { petri, receiver } = await startHeardPetri(() => statuses.shift() ?? 200, {
    world: { webhookUrl: null },
  })
  await managing(petri).post(ETL, toRabbit)
  expect(await petri.put(TARGET, { url: URL })).toAnswer(200)
  return { petri, received: receiver.received }
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('ETL pipelines', () => {
  it('deliver every event once, in order, as lines of JSON, until there is no target', {
    tags: 'slow',
  }, async () => {
    const { petri, received } = await receiving()
    await wearer(petri, ['fitbit'])
    await advance(petri, '1d')
    const lines = received.flatMap(({ body }) => linesOf(body))
    expect(lines.map(({ body }) => body)).toEqual(told(petri))
    expect(received[0]).toMatchObject({ url: URL, headers: { 'content-type': 'application/x-ndjson' } })
    const target = { url: URL, delivered: lines.length, waiting: 0, last_error: null }
    expect(await petri.read(TARGET)).toEqual(target)
    expect(await petri.delete(TARGET)).toAnswer(204)
    expect(await petri.read(TARGET)).toMatchObject({ url: null, waiting: 0 })
  })

  it('deliver all that waits, also more events than the log keeps', { tags: 'slow' }, async () => {
    const statuses = [503]
    const { petri, received } = await receiving(statuses)
    const world = petri.world()
    const waiting = 3001
    for (let n = 0; n < waiting; n++) {
      world.emit('daily.data.steps.created', { userId: null, clientUserId: null }, { n })
    }
    await advance(petri, '1s')
    const failed = { delivered: 0, waiting, last_error: 'The receiver answered 503' }
    expect(await petri.read(TARGET)).toMatchObject(failed)
    await advance(petri, '1h')
    expect(await petri.read(TARGET)).toMatchObject({ delivered: waiting, waiting: 0, last_error: null })
    const sent = received.slice(1).flatMap(({ body }) => linesOf(body).map((line) => line.body.data.n))
    expect(sent).toEqual(Array.from({ length: waiting }, (_, n) => n))
    world.emit('daily.data.steps.created', { userId: null, clientUserId: null }, { n: waiting })
    for (let n = 0; n < 20; n++) deliveryState(world).log.opened(world.db.ids(events).at(-1) ?? '')
    expect(world.db.count(events)).toBe(2000)
  })

  it('never call an address that webhooks never call', async () => {
    const petri = await startTestPetri({ transport: createTransport() })
    await managing(petri).post(ETL, toRabbit)
    expect(await petri.put(TARGET, { url: 'http://169.254.169.254/latest' })).toAnswer(422)
    setTarget(petri.world(), 'http://169.254.169.254/latest')
    await wearer(petri, ['fitbit'])
    await advance(petri, '1m')
    const { delivered, last_error } = await petri.read(TARGET)
    expect(delivered).toBe(0)
    expect(last_error).toContain('Petri never calls')
  })

  it('are kept without secrets, changed field by field, and deleted', async () => {
    const petri = await startTestPetri()
    const manage = managing(petri)
    const azure_amqp = {
      connection_string: 'Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=secret-key;EntityPath=e',
      default_event_hub: 'hub',
    }
    const { body } = await manage.post(ETL, {
      ...toRabbit,
      azure_amqp,
      team_ids: [teamIdOf(petri)],
      push_historical_data: true,
      event_type_prefixes: ['daily.'],
    })
    expect(body).toMatchObject([
      {
        rabbitmq: { uri: 'amqps://petri:**********@mq.example/events', exchange: 'events' },
        azure_amqp: {
          connection_string: 'Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=**********;EntityPath=e',
          event_hub_matchers: [],
          compression: 'auto',
        },
      },
    ])
    const { configuration } = await petri.read(`/v2/team/${teamIdOf(petri)}`)
    expect(configuration).toMatchObject({
      push_historical_data: true,
      eds_preferences: toRabbit.preferences,
      event_type_prefixes: ['daily.'],
    })
    const everything = JSON.stringify([await manage.read(ETL), await petri.read('/_petri/state')])
    for (const secret of ['guest-password', 'secret-key']) expect(everything).not.toContain(secret)
    expect((await manage.delete(ETL)).body).toEqual(body)
    expect(await manage.read(ETL)).toEqual({ pipelines: [], next_cursor: null })
  })

  it.each([
    ['an unknown destination', { preferences: { preferred: 'kafka', enabled: [] } }, 422],
    ['a team that is not there', { ...toRabbit, team_ids: [NOBODY] }, 404],
  ])('are refused with %s', async (_, body, status) => {
    const petri = await startTestPetri()
    const manage = managing(petri)
    expect(await manage.post(ETL, body)).toAnswer(status)
    expect((await manage.read(ETL)).pipelines).toEqual([])
  })
})

describe('EHR pipelines', () => {
  const authentication = {
    type: 'client_credentials',
    client_id: 'me',
    client_secret: 'secret-of-the-ehr',
    token_url: 'https://ehr.example/token',
  }
  const fhir = { ehr_type: 'fhir', base_url: 'https://ehr.example/fhir', authentication }

  it('are kept by type, without their secrets, and deleted', async () => {
    const petri = await startTestPetri()
    const manage = managing(petri)
    const told = {
      ...fhir,
      team_id: teamIdOf(petri),
      type: 'native',
      authentication: { ...authentication, client_secret: '**********' },
      allowed_mappers: null,
    }
    expect((await manage.post(EHR, fhir)).body).toEqual([told])
    const hint = { ehr_type: 'hint_health', authentication: { type: 'api_key', api_key: 'secret-of-hint' } }
    await manage.post(EHR, { ...fhir, ...hint, allowed_mappers: ['vitals'], team_ids: [teamIdOf(petri)] })
    const body = await manage.read(EHR)
    expect(body).toMatchObject({
      data: [told, { type: 'ehr_linked', authentication: { api_key: '**********' } }],
      next_token: null,
    })
    const everything = JSON.stringify([body, await petri.read('/_petri/state')])
    expect(everything).not.toContain('secret-of')
    expect((await manage.delete(`${EHR}?ehr_type=fhir`)).body).toBeNull()
    expect((await manage.read(EHR)).data).toHaveLength(1)
    expect(await manage.delete(EHR)).toAnswer(422)
  })

  it.each([
    ['an address that is none', { base_url: 'ehr' }, 422],
    ['a team that is not there', { team_ids: [NOBODY] }, 404],
  ])('are refused with %s', async (_, change, status) => {
    const petri = await startTestPetri()
    const manage = managing(petri)
    expect(await manage.post(EHR, { ...fhir, ...change })).toAnswer(status)
    expect((await manage.read(EHR)).data).toEqual([])
  })
})
