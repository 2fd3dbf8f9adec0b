import { describe, expect, it } from 'vitest'
import { managing, teamIdOf } from '../support/management.ts'
import { type Answer, forEachTest, startTestPetri, type TestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const CONTROL = '/_petri/organisation'
const ada = { email: 'ada@example.com' }
const member = { integration_member_id: 'user_1', name: 'Ada', email: 'ada@example.com' }

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

async function invited() {
  await manage.post('/invite', ada)
  const [{ id }] = (await manage.read('/invite')).invites
  return { id, accept: () => petri.post(`${CONTROL}/invites/${id}/accept`) }
}

const addMember = async () => `/member/${(await (await invited()).accept()).body.id}`

async function add(path: string, body: object) {
  const { id } = (await manage.post(path, body)).body
  return `${path}/${id}`
}
const addManagedMember = () => add('/ehr_integration/member', member)

const afterFirstWrite = async (petri: TestPetri) => {
  await managing(petri).patch('', { name: 'Clinic' })
  return petri
}

describe.each([
  ['before the first write of the organisation', startTestPetri],
  ['after its first write', async () => afterFirstWrite(await startTestPetri())],
])('two calls at the same moment, %s,', (_, start) => {
  it('invite one person once', async () => {
    const manage = managing(await start())
    const answers = await Promise.all([manage.post('/invite', ada), manage.post('/invite', ada)])
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['invite_created', 'invite_resent'])
    expect((await manage.read('/invite')).invites).toHaveLength(1)
  })

  it('invite one person to one role', async () => {
    const manage = managing(await start())
    const other = { ...ada, role: 'no_role' }
    const answers = await Promise.all([manage.post('/invite', ada), manage.post('/invite', other)])
    expect(statuses(answers)).toEqual([200, 409])
    expect((await manage.read('/invite')).invites).toMatchObject([{ role: 'org_admin' }])
  })

  it('add a domain once', async () => {
    const manage = managing(await start())
    const add = () => manage.post('/domain', { domain: 'example.com' })
    expect(statuses(await Promise.all([add(), add()]))).toEqual([201, 409])
    expect((await manage.read('/domain')).data).toHaveLength(1)
  })

  it('give an integration member id once', async () => {
    const manage = managing(await start())
    const add = () => manage.post('/ehr_integration/member', member)
    const [added, refused] = await Promise.all([add(), add()])
    expect([added?.status, refused?.status]).toEqual([200, 409])
    expect(refused?.body).toEqual({ member_id: added?.body.id })
    expect((await manage.read('/ehr_integration/member')).data).toHaveLength(1)
  })
})

describe('at the same moment', () => {
  it('an invite is accepted once', async () => {
    const { accept } = await invited()
    expect(statuses(await Promise.all([accept(), accept()]))).toEqual([200, 404])
    expect((await manage.read('/member')).members).toHaveLength(1)
  })

  it('an invite that is revoked is not accepted', async () => {
    const { id, accept } = await invited()
    const both = [manage.delete(`/invite/${id}`), accept()]
    expect(statuses(await Promise.all(both))).toEqual([200, 404])
  })

  it('who accepts an invite is not invited again', async () => {
    const { accept } = await invited()
    const [, again] = await Promise.all([accept(), manage.post('/invite', ada)])
    expect(again?.body).toEqual({ status: 'already_in_org' })
    expect((await manage.read('/invite')).invites).toEqual([])
  })

  it.each([
    ['member', addMember, { role: 'no_role', team_role_bindings: null }],
    ['managed member', addManagedMember, { name: 'Grace' }],
    [
      'management key',
      () => add('/management_key', { label: 'CI', role: 'org_admin' }),
      { label: 'Nightly' },
    ],
  ])('a %s that is removed is not changed, and so not there again', async (_, make, change) => {
    const path = await make()
    const answers = await Promise.all([manage.delete(path), manage.patch(path, change)])
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    expect(await manage.patch(path, change)).toAnswer(404)
  })

  it('a domain that is removed is neither published nor verified', async () => {
    const { id } = (await manage.post('/domain', { domain: 'example.com' })).body
    await petri.post(`${CONTROL}/domains/${id}/publish`)
    const [, ...answers] = await Promise.all([
      manage.delete(`/domain/${id}`),
      petri.post(`${CONTROL}/domains/${id}/publish`),
      manage.post(`/domain/${id}/verify`),
    ])
    expect(statuses(answers)).toEqual([404, 404])
    expect((await manage.read('/domain')).data).toEqual([])
  })

  it('two changes of one member both stay', async () => {
    const path = await addManagedMember()
    await Promise.all([manage.patch(path, { name: 'Grace' }), manage.patch(path, { avatar: 'a.png' })])
    expect(await manage.read(path)).toMatchObject({ name: 'Grace', avatar: 'a.png' })
  })

  it('an API key of a team is deleted once', async () => {
    const keys = '/team_api_keys/sandbox/us'
    const { id } = (await manage.post(keys, { label: 'CI', team_id: teamIdOf(petri) })).body
    const remove = () => manage.delete(`${keys}?api_key_id=${id}`)
    const answers = await Promise.all([remove(), remove()])
    expect(answers.map(({ body }) => body.success)).toEqual([[id], []])
    expect(answers.map(({ body }) => body.not_found)).toEqual([[], [id]])
  })
})
