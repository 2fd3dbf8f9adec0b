import { describe, expect, it } from 'vitest'
import { advance, changeInfo, createUser, deleteUser, orderKit } from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'

const petri = forEachTest()

const home = { first_line: '1 Test Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }
const ada = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  phone_number: '+16025550123',
  gender: 'female',
  dob: '1990-01-01',
  address: home,
}

describe('demographics', () => {
  it('are stored and replaced as a whole', async () => {
    const path = `/v2/user/${await createUser(petri)}/info`
    const first = await petri.patch(path, { ...ada, race: 'other', gender_identity: 'female' })
    expect(first).toAnswer(200, {
      ...ada,
      address: { ...home, second_line: '', access_notes: null },
      race: 'other',
      gender_identity: 'female',
      medical_proxy: null,
    })
    expect(await petri.get(`${path}/latest`)).toAnswer(200, first.body)
    await petri.patch(path, { ...ada, first_name: 'Augusta' })
    expect(await petri.read(`${path}/latest`)).toMatchObject({ first_name: 'Augusta', race: null })
  })

  it('have a country that exists', async () => {
    const path = `/v2/user/${await createUser(petri)}/info`
    const living = (country: string) => petri.patch(path, { ...ada, address: { ...home, country } })
    for (const country of ['Ruritania', '', 'constructor'])
      expect((await living(country)).body.detail, country).toMatchObject([
        { loc: ['body', 'address', 'country'], msg: `Value error, Invalid country: ${country}` },
      ])
    expect(await petri.get(`${path}/latest`)).toAnswer(404)
    for (const country of ['US', 'USA', 'Canada']) expect(await living(country), country).toAnswer(200)
  })

  it('are validated like a patient', async () => {
    const path = `/v2/user/${await createUser(petri)}/info`
    const refused = await petri.patch(path, {
      ...ada,
      first_name: '-Ada',
      email: 'ada',
      phone_number: '555',
      dob: 'soon',
      race: 'martian',
      address: { ...home, access_notes: 'x'.repeat(1001) },
    })
    expect(refused).toAnswer(422)
    expect(refused.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))).toEqual([
      'first_name',
      'email',
      'phone_number',
      'dob',
      'access_notes',
      'race',
    ])
    expect(await petri.patch(path, { ...ada, dob: '2026-01-06' })).toRefuse(422, [
      { loc: ['body', 'dob'], msg: 'Value error, dob cannot be in the future' },
    ])
    expect(await petri.patch(path, { ...ada, dob: '2026-01-05' })).toAnswer(200)
  })

  it('that do not exist, or of an unknown user, are 404', async () => {
    const user = await createUser(petri)
    expect(await petri.get(`/v2/user/${user}/info/latest`)).toRefuse(404, 'User demographics data not found')
    expect(await changeInfo(petri, NOBODY, ada)).toRefuse(404, 'User not found')
    expect(await petri.get('/v2/user/nope/info/latest')).toRefuse(
      422,
      expect.stringContaining('Invalid format for parameter user_id'),
    )
  })

  it('are deleted with the user, and restored with the user', async () => {
    const user = await createUser(petri)
    await changeInfo(petri, user, ada)
    await deleteUser(petri, user)
    expect(await petri.get(`/v2/user/${user}/info/latest`)).toAnswer(404)
    await petri.post(`/v2/user/undo_delete?user_id=${user}`)
    expect((await petri.read(`/v2/user/${user}/info/latest`)).first_name).toBe('Ada')
  })
})

describe("a user's own page", () => {
  it('needs demographics', async () => {
    const user = await createUser(petri)
    const ask = (body: object) => petri.post(`/v2/user/${user}/create_portal_url`, body)
    expect(await ask({ context: 'launch' })).toRefuse(422, expect.stringContaining('demographics'))
    await changeInfo(petri, user, ada)
    const launch = (await ask({ context: 'launch' })).body
    expect(launch).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4080\//), expires_in: 600 })
    const long = (await ask({ context: 'communications' })).body
    expect(long.expires_in).toBeGreaterThan(86_400)
    expect(long.url).not.toBe(launch.url)
    expect(await ask({ context: 'launch', order_id: NOBODY })).toRefuse(404, "This order doesn't exist")
  })

  it('shows who it is for, until it expires', async () => {
    const user = await createUser(petri)
    await changeInfo(petri, user, ada)
    const { url } = (await petri.post(`/v2/user/${user}/create_portal_url`, { context: 'launch' })).body
    const visit = () => petri.petri.app.request(url.replace('http://127.0.0.1:4080', ''))
    expect(await (await visit()).text()).toContain('Ada Example')
    await advance(petri, '10m')
    expect(await visit()).toAnswer(401)
  })

  it('lists all orders, or the one it is for', async () => {
    const user = await createUser(petri)
    await changeInfo(petri, user, ada)
    const pageFor = async (body: object) => {
      const { url } = (await petri.post(`/v2/user/${user}/create_portal_url`, body)).body
      return (await petri.petri.app.request(url.replace('http://127.0.0.1:4080', ''))).text()
    }
    expect(await pageFor({ context: 'launch' })).toContain('There is no order yet.')
    const { id: first } = await orderKit(petri, { user })
    const { id: second } = await orderKit(petri, { user })
    const all = await pageFor({ context: 'launch' })
    for (const id of [first, second]) expect(all).toContain(`(order <code>${id}</code>)`)
    expect(all).toContain('<title>Orders of Ada Example</title>')
    expect(all).not.toContain('There is no order yet.')
    const one = await pageFor({ context: 'launch', order_id: second })
    expect(one).toContain(second)
    expect(one).not.toContain(first)
  })
})
