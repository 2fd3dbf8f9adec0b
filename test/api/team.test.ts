import { describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import { users } from '../../src/resources/users/table.ts'
import { field } from '../support/field.ts'
import { createUser, orderForPatient, orderKit, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

describe('the team', () => {
  it('shows itself, with its key and what is switched on', async () => {
    const { teamId, orgId, apiKey } = petri.world().identity
    await setFeatures(petri, { reject_duplicate_connection: true })
    expect(await petri.get(`/v2/team/${teamId}`)).toAnswer(200, {
      id: teamId,
      org_id: orgId,
      name: 'Petri',
      api_key: apiKey,
      api_keys: [
        { value: apiKey, team_id: teamId, created_at: '2026-01-05T09:00:00+00:00', deleted_at: null },
      ],
      configuration: {
        reject_duplicate_connection: true,
        minor_ordering_enabled: false,
        texts_enabled: false,
        provider_raw_data: false,
        sdk_per_device_activity_timeseries: false,
        eds_preferences: { preferred: 'svix', enabled: ['svix'] },
        event_type_prefixes: null,
        libreview: { practice_id: {}, strip_tz: false },
      },
      client_id: '',
      client_secret: '',
      airtable_api_key: '',
      airtable_base_id: '',
      testkits_texts_enabled: false,
      lab_tests_patient_communication_enabled: false,
      lab_tests_patient_sms_communication_enabled: true,
      lab_tests_patient_email_communication_enabled: true,
      logo_url: null,
      critical_result_notification_email: null,
    })
    expect(await petri.get(`/v2/team/${NOBODY}`)).toRefuse(404, 'Team not found')
  })

  it('lists the physicians who have ordered for it', async () => {
    const path = `/v2/team/${petri.world().identity.teamId}/physicians`
    expect(await petri.read(path)).toEqual([])
    const { physician } = await orderForPatient(petri)
    expect(physician.npi).toMatch(/^1\d{9}$/)
    const other = await orderForPatient(petri, { zip: '85003' })
    await orderKit(petri)
    const { db } = petri.world()
    db.put(orders, { ...db.get(orders, other.id), id: NOBODY })
    expect(await petri.read(path)).toEqual([physician, other.physician])
  })

  it('finds a hundred users at most', async () => {
    const { db } = petri.world()
    const user = db.get(users, await createUser(petri, 'crowd'))
    for (let nth = 1; nth <= 100; nth++)
      db.put(users, { ...user, user_id: `${String(nth).padStart(8, '0')}${NOBODY.slice(8)}` })
    expect(await petri.read('/v2/team/users/search?query_id=crowd')).toHaveLength(100)
  })

  it('finds its users by a part of what they are called', async () => {
    const [ada] = [await createUser(petri, 'ada-1'), await createUser(petri, 'grace-1')]
    const find = async (query: string) =>
      (await petri.read(`/v2/team/users/search?query_id=${query}`)).map(field('client_user_id'))
    expect(await find('ADA')).toEqual(['ada-1'])
    expect(await find('-1')).toEqual(['ada-1', 'grace-1'])
    expect(await find(ada.slice(0, 13))).toEqual(['ada-1'])
    expect(await find('nobody')).toEqual([])
    expect(await petri.get('/v2/team/users/search?query_id=a')).toRefuse(422, [
      {
        type: 'string_too_short',
        loc: ['query', 'query_id'],
        msg: 'String should have at least 2 characters',
        ctx: { min_length: 2 },
      },
    ])
  })

  it('is told where its messages are, in Petri itself', async () => {
    expect((await petri.read('/v2/team/svix/url')).url).toBe('http://127.0.0.1:4080/_petri/webhooks/messages')
  })
})

describe('the ranks of providers', () => {
  it('are told for each kind of data, the first first', async () => {
    const body = await petri.read('/v2/team/source/priorities?data_type=sleep')
    const ranks = body.map(field('priority'))
    expect(ranks).toEqual(ranks.map((_: number, at: number) => ranks.length - at))
    expect(body[0]).toMatchObject({
      team_id: petri.world().identity.teamId,
      data_type: 'sleep',
      source: { name: expect.any(String), slug: expect.any(String), logo: expect.any(String) },
    })
    const all = await petri.read('/v2/team/source/priorities')
    expect(all).toHaveLength(body.length * 5)
    expect(await petri.get('/v2/team/source/priorities?data_type=mood')).toAnswer(422)
  })

  it('are changed one by one', async () => {
    const change = (body?: unknown) => petri.patch('/v2/team/source/priorities', body)
    const first = async (type: string) =>
      (await petri.read(`/v2/team/source/priorities?data_type=${type}`))[0].source.slug
    const before = await first('activity')
    const { status, body } = await change([{ data_type: 'sleep', slug: 'withings', priority: 1000 }])
    expect([status, body[0].source.slug, body[0].priority]).toEqual([200, 'withings', 1000])
    expect(await first('sleep')).toBe('withings')
    expect(await first('activity')).toBe(before)
    expect((await change()).body.length).toBeGreaterThan(body.length)
    expect(await change([{ data_type: 'sleep', source_id: 99_999, priority: 1 }])).toRefuse(
      400,
      'There is no source 99999.',
    )
    expect(await change([{ data_type: 'sleep', priority: 1 }])).toRefuse(
      400,
      'source_id or slug must be provided',
    )
  })

  it('are changed by the id of a source too, and the kinds of data that changed are returned', async () => {
    const body = await petri.read('/v2/team/source/priorities?data_type=sleep')
    const { source_id, source } = body.at(-1)
    const changed = await petri.patch('/v2/team/source/priorities', [
      { data_type: 'sleep', source_id, priority: 1000 },
    ])
    expect(changed.body).toHaveLength(body.length)
    expect(changed.body[0]).toMatchObject({ data_type: 'sleep', source_id, priority: 1000, source })
  })
})
