import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { changeUser, createUser, deleteUser, postUser, readUser } from '../support/orders.ts'
import { forEachTest, valueError } from '../support/petri.ts'

const petri = forEachTest()

describe('users', () => {
  it('are created and read back', async () => {
    const created = await petri.post('/v2/user', {
      client_user_id: 'ada',
      fallback_time_zone: 'Europe/Berlin',
    })
    expect(created).toAnswer(200, {
      client_user_id: 'ada',
      created_on: '2026-01-05T09:00:00+00:00',
      connected_sources: [],
      fallback_time_zone: { id: 'Europe/Berlin', source_slug: 'manual' },
      ingestion_start: null,
    })
    const { user_id } = created.body
    expect(await petri.get(`/v2/user/${user_id}`)).toAnswer(200, created.body)
    expect(await petri.get('/v2/user/resolve/ada')).toAnswer(200, created.body)
    expect(await petri.get('/v2/user')).toMatchObject({
      body: { users: [created.body], total: 1, offset: 0, limit: 100 },
    })
  })

  it.each([
    [{ ingestion_start: '2026-02-02', ingestion_end: '2026-02-01' }, 422],
    [{ ingestion_start: '2026-02-01', ingestion_end: '2026-02-01' }, 200],
    [{ ingestion_start: '2026-02-02' }, 200],
    [{ ingestion_end: '2026-02-01' }, 200],
  ])('with the bounds %j are %s, when they are created and when they are changed', async (bounds, status) => {
    const { body: user } = await postUser(petri, 'ada')
    const replies = [
      await petri.post('/v2/user', { client_user_id: 'ben', ...bounds }),
      await changeUser(petri, user.user_id, bounds),
    ]
    const msg = 'Value error, ingestion_end is before ingestion_start'
    for (const reply of replies) {
      expect(Math.max(200, reply.status === 204 ? 200 : reply.status)).toBe(status)
      if (status === 422)
        expect(reply.body.detail).toMatchObject([
          { loc: ['body', 'ingestion_end'], msg, input: '2026-02-01' },
        ])
    }
    const body = await readUser(petri, user.user_id)
    if (status === 422) expect(body).toMatchObject({ ingestion_start: null, ingestion_end: null })
  })

  it('are refused bounds that end before a start that is there already', async () => {
    const { body } = await petri.post('/v2/user', { client_user_id: 'ada', ingestion_start: '2026-02-02' })
    const path = `/v2/user/${body.user_id}`
    expect(await petri.patch(path, { ingestion_end: '2026-02-01' })).toAnswer(422)
    expect((await petri.patch(path, { ingestion_end: '2026-02-02' })).status).toBeLessThan(300)
  })

  it('are refused a reference that is taken, naming who has it', async () => {
    const { body } = await postUser(petri, 'ada')
    expect(await postUser(petri, 'ada')).toAnswer(400, {
      client_user_id: 'ada',
      user_id: body.user_id,
      detail: {
        error_type: 'INVALID_REQUEST',
        error_message: 'Client user id already exists.',
        user_id: body.user_id,
        created_on: body.created_on,
      },
    })
  })

  it('tell each failing field as the service does', async () => {
    expect(
      await petri.post('/v2/user', { fallback_time_zone: 'Mars/Base', fallback_birth_date: '1990-13-01' }),
    ).toRefuse(422, [
      {
        type: 'missing',
        loc: ['body', 'client_user_id'],
        msg: 'Field required',
        input: { fallback_time_zone: 'Mars/Base', fallback_birth_date: '1990-13-01' },
      },
      ...valueError(['fallback_time_zone'], 'Invalid IANA time zone: Mars/Base', 'Mars/Base'),
      {
        type: 'date_from_datetime_parsing',
        loc: ['body', 'fallback_birth_date'],
        msg: 'Input should be a valid date or datetime, month value is outside expected range of 1-12',
        input: '1990-13-01',
        ctx: { error: 'month value is outside expected range of 1-12' },
      },
    ])
  })

  it('can be changed field by field, and null clears', async () => {
    const { body: user } = await petri.post('/v2/user', {
      client_user_id: 'ada',
      fallback_time_zone: 'Europe/Berlin',
    })
    const path = `/v2/user/${user.user_id}`
    expect(await petri.patch(path, { fallback_time_zone: null, client_user_id: 'ada2' })).toMatchObject({
      status: 204,
      body: null,
    })
    expect(await petri.read(path)).toMatchObject({ client_user_id: 'ada2', fallback_time_zone: null })
    expect(await petri.patch(path, {})).toRefuse(400, 'Nothing to patch')
    expect(await petri.patch(path, { client_user_id: null })).toRefuse(422, [
      { loc: ['body'], msg: 'Value error, client_user_id is not a field that can be reset to null.' },
    ])
  })

  it('are 404 when deleted, and restored when that is undone in time', async () => {
    const { body: user } = await postUser(petri, 'ada')
    const path = `/v2/user/${user.user_id}`
    expect(await petri.delete(path)).toAnswer(200, { success: true })
    expect(await petri.get(path)).toRefuse(404, 'You have scheduled this user for deletion.')
    expect(await petri.delete(path)).toRefuse(
      404,
      'The user has been scheduled for deletion as per your previous request',
    )
    expect(await petri.post('/v2/user/undo_delete?client_user_id=ada')).toAnswer(200, { success: true })
    expect(await petri.get(path)).toAnswer(200, user)
  })

  it('are restored by one of two names, unless another has it by now', async () => {
    const user_id = await createUser(petri)
    await deleteUser(petri, user_id)
    const undo = (query: string) => petri.post(`/v2/user/undo_delete${query}`)
    for (const query of ['', `?user_id=${user_id}&client_user_id=ada`])
      expect(await undo(query)).toRefuse(400, 'Exactly one of user_id and client_user_id must be given.')
    expect(await undo('?client_user_id=grace')).toRefuse(404, 'User not found')
    const { body: other } = await postUser(petri, 'ada')
    expect(await undo(`?user_id=${user_id}`)).toRefuse(409, 'Client user id already exists')
    await changeUser(petri, other.user_id, { client_user_id: 'grace' })
    expect(await undo(`?user_id=${user_id}`)).toAnswer(200)
  })

  it('keep their reference when it is patched to the same, and refuse that of another', async () => {
    const user_id = await createUser(petri)
    await createUser(petri, 'grace')
    const path = `/v2/user/${user_id}`
    expect(await petri.patch(path, { client_user_id: 'ada' })).toAnswer(204)
    expect(await petri.patch(path, { client_user_id: 'grace' })).toRefuse(
      409,
      'Client user id already exists',
    )
  })

  it('are listed newest first, a page at a time', async () => {
    for (const name of ['ada', 'grace', 'mary']) await postUser(petri, name)
    const namesAt = async (query: string) =>
      (await petri.read(`/v2/user${query}`)).users.map(field('client_user_id'))
    expect(await namesAt('')).toEqual(['mary', 'grace', 'ada'])
    expect(await namesAt('?offset=1&limit=1')).toEqual(['grace'])
    expect((await petri.read('/v2/user?offset=2147483647')).offset).toBe(2147483647)
    for (const offset of ['9007199254740992', '1'.repeat(22)])
      expect((await petri.read(`/v2/user?offset=${offset}`)).detail, offset).toMatchObject([
        { type: 'less_than_equal', loc: ['query', 'offset'] },
      ])
  })

  it('answer a malformed id as the route does', async () => {
    expect(await petri.get('/v2/user/nope')).toRefuse(
      422,
      "Invalid format for parameter user_id: error unmarshaling 'nope' text as *uuid.UUID: invalid UUID length: 4",
    )
    expect(await petri.delete('/v2/user/nope')).toRefuse(422, [
      { type: 'uuid_parsing', loc: ['path', 'user_id'], input: 'nope' },
    ])
  })
})
