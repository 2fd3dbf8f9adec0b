import { describe, expect, it } from 'vitest'
import { methodOf, pathOf, shoot } from '../support/attack.ts'
import { createUser } from '../support/orders.ts'
import { forAllTests, fromAddress, KEY, NOBODY, startTestPetri, startTestWorld } from '../support/petri.ts'

const TOKEN = 'control-token-of-the-test'
const MANAGEMENT = 'mg_of_the_test_only'
const petri = forAllTests(() => startTestPetri({ controlToken: TOKEN, managementKey: MANAGEMENT }))

const none = { 'x-service-api-key': '', 'x-management-key': '' }
/** Everything that opens something somewhere, in every place a key can be given. */
const presented = (key: string): Record<string, string>[] => [
  { 'x-service-api-key': key },
  { 'x-vital-api-key': key },
  { authorization: `Bearer ${key}` },
  { 'x-management-key': key },
  { 'x-vital-org-key': key },
  { 'x-vital-link-token': key },
]

const accessOf = (access: string) =>
  petri.petri.operations.filter((operation) => (operation.access ?? 'world') === access)

describe('a key', () => {
  it('of one kind opens nothing of another', { tags: 'slow' }, async () => {
    const places: Record<string, number[]> = { world: [0, 1, 2], management: [3, 4], control: [2] }
    for (const [key, own] of [
      [KEY, 'world'],
      [MANAGEMENT, 'management'],
      [TOKEN, 'control'],
    ] as const) {
      for (const access of ['world', 'management', 'control']) {
        for (const operation of accessOf(access)) {
          for (const [place, headers] of presented(key).entries()) {
            if (own === access && places[access]?.includes(place)) continue
            const { status, text } = await shoot(
              petri,
              methodOf(operation),
              pathOf(operation, () => NOBODY),
              undefined,
              { ...none, ...headers },
            )
            expect(
              status,
              `${operation.id} with the key of a ${own} as ${Object.keys(headers)}: ${text.slice(0, 100)}`,
            ).toBe(401)
          }
        }
      }
    }
    expect(petri.petri.worlds.all()).toHaveLength(1)
  })

  it('of one world gives no access to another, and reveals nothing about it', async () => {
    const made = await petri.post(
      '/_petri/worlds',
      { seed: 'other' },
      { authorization: `Bearer ${TOKEN}`, 'x-service-api-key': '' },
    )
    expect(made).toAnswer(201)
    const userId = await createUser(petri, 'mine')
    const other = { 'x-service-api-key': made.body.api_key }
    const theirs = await shoot(petri, 'GET', `/v2/user/${userId}`, undefined, other)
    const nobodys = await shoot(petri, 'GET', `/v2/user/${NOBODY}`, undefined, other)
    expect(theirs).toEqual(nobodys)
    const token = (await petri.post('/v2/link/token', { user_id: userId })).body.link_token
    const foreign = token.replace(
      petri.world().identity.teamId.replaceAll('-', ''),
      made.body.team_id.replaceAll('-', ''),
    )
    expect(await shoot(petri, 'GET', `/link?token=${foreign}`, undefined, none)).toAnswer(401)
  })

  it('that is nearly right is refused in the same words as any other', async () => {
    const answers = new Set<string>()
    const guesses = [
      KEY.slice(0, -1),
      `${KEY}x`,
      KEY.toUpperCase(),
      ` ${KEY}x`,
      'x',
      'sk_us_',
      'sk_eu_test',
      '__proto__',
      'constructor',
      'undefined',
      'null',
      'x'.repeat(4000),
      '*',
      '%',
    ]
    for (const guess of guesses) {
      for (const headers of presented(guess).slice(0, 3)) {
        const { status, text } = await shoot(petri, 'GET', '/v2/user', undefined, { ...none, ...headers })
        answers.add(`${status} ${text}`)
      }
    }
    expect([...answers]).toEqual(['401 {"detail":"invalid token"}'])
    const controls = new Set<string>()
    for (const guess of [
      '',
      TOKEN.slice(0, -1),
      `${TOKEN}x`,
      TOKEN.toUpperCase(),
      KEY,
      MANAGEMENT,
      'constructor',
    ]) {
      const { status, text } = await shoot(petri, 'GET', '/_petri/worlds', undefined, {
        ...none,
        authorization: `Bearer ${guess}`,
      })
      controls.add(`${status} ${text}`)
    }
    expect(controls.size).toBe(1)
    expect([...controls][0]).not.toContain(TOKEN.slice(0, 7) + TOKEN.slice(7))
  })
})

describe('a neighbour on the network', () => {
  const from = async (peer: string, path: string, headers: Record<string, string>, asked = petri) => {
    const init = { headers: { host: '192.168.1.20:4080', ...headers } }
    return (await asked.petri.app.request(path, init, fromAddress(peer))).status
  }

  it('without the control token, or with a forged address, lists no worlds', async () => {
    const open = await startTestWorld()
    for (const headers of [
      {},
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { host: '127.0.0.1' },
    ]) {
      expect(await from('192.168.1.66', '/_petri/worlds', headers, open)).toBe(403)
      expect(await from('192.168.1.66', '/_petri/worlds', headers)).toBe(401)
    }
    await open.close()
  })

  it('with the management key everybody knows manages nothing', async () => {
    const open = await startTestWorld()
    const { orgId } = open.world().identity
    const headers = { 'x-management-key': 'mg_petri' }
    expect(await from('192.168.1.66', `/v1/org/${orgId}/team`, headers, open)).toBe(403)
    const input = { label: 'made', role: 'org_admin' }
    const made = await open.post(`/v1/org/${orgId}/management_key`, input, headers)
    const worked = { 'x-management-key': made.body.key }
    expect(await from('127.0.0.1', `/v1/org/${orgId}/team`, worked, open)).toBeLessThan(400)
    expect(await from('192.168.1.66', `/v1/org/${orgId}/team`, worked, open)).toBe(403)
    await open.close()
  })
})
