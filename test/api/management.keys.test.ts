import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { MANAGEMENT_KEY, managing, ORG, teamIdOf } from '../support/management.ts'
import { forEachTest, fromAddress, KEY, NOBODY, startTestPetri, type TestPetri } from '../support/petri.ts'

const petri = forEachTest(startTestPetri)
const manage = managing(petri)

const bare = { 'x-service-api-key': '' }

describe('a management key', () => {
  it('is accepted under its own header names, and no other key is', async () => {
    for (const name of ['x-management-key', 'X-Vital-Org-Key', 'x-petri-management-key']) {
      const answer = await petri.get(ORG, { ...bare, [name]: MANAGEMENT_KEY })
      expect(answer, name).toAnswer(200, { name: 'Petri', expires_at: null })
    }
    expect(await petri.get(ORG, bare)).toRefuse(401, 'Missing management key')
    for (const key of ['mg_petr', 'mg_petri2', KEY, petri.world().identity.webhookSecret]) {
      expect(await petri.get(ORG, { 'x-management-key': key })).toRefuse(401, 'invalid token')
    }
    expect(await petri.get(ORG, { authorization: `Bearer ${MANAGEMENT_KEY}` })).toAnswer(401)
  })

  it('is the one Petri was started with; with a control token there is no default', async () => {
    const own = await startTestPetri({ managementKey: 'mg_mine' })
    expect(await managing(own, 'mg_mine').get('')).toAnswer(200)
    expect(await managing(own).get('')).toAnswer(401)
    const guarded = await startTestPetri({ controlToken: 'secret' })
    expect(await managing(guarded).get('')).toAnswer(401)
    const both = await startTestPetri({ controlToken: 'secret', managementKey: 'mg_mine' })
    expect(await managing(both, 'mg_mine').get('')).toAnswer(200)
  })

  it('that is public is accepted from this machine only', async () => {
    const ask = async (petri: TestPetri, key: string, peer?: string) =>
      (
        await petri.petri.app.request(
          ORG,
          { headers: { 'x-management-key': key } },
          peer ? fromAddress(peer) : undefined,
        )
      ).json()
    const known = await startTestPetri()
    for (const peer of [undefined, '127.0.0.1', '::1']) {
      expect(await ask(known, MANAGEMENT_KEY, peer)).toMatchObject({ name: 'Petri' })
    }
    expect(await ask(known, MANAGEMENT_KEY, '172.17.0.1')).toMatchObject({
      detail: expect.stringContaining('set PETRI_MANAGEMENT_KEY'),
    })
    const other = await startTestPetri({ managementKey: 'mg_mine' })
    expect(await ask(other, 'mg_mine', '172.17.0.1')).toMatchObject({ name: 'Petri' })
  })

  it('can be made, is shown once, renamed, and removed', async () => {
    const { body: made } = await manage.post('/management_key', { label: 'CI', role: 'org_admin' })
    expect(made).toMatchObject({
      label: 'CI',
      role: 'org_admin',
      created_at: '2026-01-05T09:00:00+00:00',
      creator: { type: 'management_key' },
      team_role_bindings: null,
      key: expect.stringMatching(/^mg_[A-Za-z0-9]{32}$/),
    })
    const withIt = managing(petri, made.key)
    const { data } = await withIt.read('/management_key')
    expect(data.map(field('label'))).toEqual(['Petri', 'CI'])
    expect(JSON.stringify(data)).not.toContain(made.key)
    const path = `/management_key/${made.id}`
    expect((await manage.patch(path, { label: 'CI 2' })).body).toMatchObject({ id: made.id, label: 'CI 2' })
    expect((await manage.delete(path)).body).toMatchObject({ id: made.id })
    expect(await manage.delete(path)).toAnswer(200, null)
    expect(await withIt.get('')).toAnswer(401)
    const again = await manage.post('/management_key', { label: 'CI', role: 'org_admin' })
    expect(again.body.key).not.toBe(made.key)
  })

  it('refuses unknown keys and teams, and an invalid body', async () => {
    expect(await manage.patch(`/management_key/${NOBODY}`, {})).toRefuse(404, 'Management key not found')
    const unbound = { label: 'x', role: 'team_admin', team_role_bindings: [{ team_id: NOBODY }] }
    expect(await manage.post('/management_key', unbound)).toAnswer(404)
    expect(await manage.post('/management_key', { role: 'owner' })).toRefuse(422, [
      { type: 'missing', loc: ['body', 'label'] },
      { type: 'enum', loc: ['body', 'role'], ctx: { expected: "'org_admin' or 'team_admin'" } },
    ])
    expect((await manage.read('/management_key')).data).toHaveLength(1)
  })

  it('of the role team_admin manages its teams and no others', async () => {
    const { body: other } = await manage.post('/team', { name: 'Other', region: 'us' })
    const { body: made } = await manage.post('/management_key', {
      label: 'Other only',
      role: 'team_admin',
      team_role_bindings: [{ team_id: other.id }],
    })
    const bound = managing(petri, made.key)
    expect((await bound.read('/team')).teams).toMatchObject([{ id: other.id }])
    expect(await bound.get(`/team/${other.id}`)).toAnswer(200)
    expect(await bound.get(`/team/${teamIdOf(petri)}`)).toRefuse(404, 'Team not found')
    expect((await bound.read('/team_api_keys/sandbox/us')).api_keys).toMatchObject([{ team_id: other.id }])
    expect(await bound.delete(`/team/${other.id}`)).toRefuse(403, expect.stringContaining('role org_admin'))
    await manage.patch(`/management_key/${made.id}`, { team_role_bindings: [{ team_id: teamIdOf(petri) }] })
    expect((await bound.read('/team')).teams).toMatchObject([{ id: teamIdOf(petri) }])
  })
})

describe('the organisation', () => {
  it('can be renamed, by a name it may have', async () => {
    expect((await manage.patch('', { name: 'Acme (EU)' })).body).toMatchObject({ name: 'Acme (EU)' })
    expect((await manage.read('')).name).toBe('Acme (EU)')
    expect(await manage.patch('', { name: 'Acme <b>' })).toRefuse(422, [
      { type: 'string_pattern_mismatch', loc: ['body', 'name'] },
    ])
    const headers = { 'x-management-key': MANAGEMENT_KEY }
    expect(await petri.get(`/v1/org/${NOBODY}`, headers)).toAnswer(404)
    expect(await petri.get('/v1/org/nope', headers)).toRefuse(422, [
      { type: 'uuid_parsing', loc: ['path', 'org_id'] },
    ])
  })

  it('is restored after a restart with its keys, of which only digests are stored', async () => {
    const { root, start } = dataFolder()
    const before = await start()
    await managing(before).patch('', { name: 'Acme' })
    const { key } = (await managing(before).post('/management_key', { label: 'CI', role: 'org_admin' })).body
    await before.close()
    const files = readdirSync(join(root, 'worlds', 'organisation'))
    const kept = files.map((name) => readFileSync(join(root, 'worlds', 'organisation', name), 'utf8'))
    expect(kept.join('')).toContain('Acme')
    expect(kept.join('')).not.toContain(key)
    const after = await start()
    expect((await managing(after, key).get('')).body.name).toBe('Acme')
    expect(after.petri.worlds.all()).toHaveLength(1)
    await after.close()
  })
})
