import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shoot } from '../support/attack.ts'
import { newToken } from '../support/link.ts'
import { advance, createUser } from '../support/orders.ts'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'

/** What a session gives away to Petri, each unlike any other text. */
const secrets = {
  token: 'control-token-ZZtop1',
  management: 'mg_management-ZZtop2',
  password: 'password-ZZtop3',
  mfa: 'mfa-ZZtop4',
  bearer: 'bearer-ZZtop5',
  cookie: 'cookie-ZZtop6',
  hookPassword: 'hook-ZZtop7',
  customHeader: 'custom-ZZtop8',
  wrongKey: 'sk_us_wrongZZtop9',
  refresh: 'refresh-ZZtop10',
  oauthCode: 'code-ZZtop11',
}

const bugs: unknown[] = []
const logged: string[] = []
let petri: TestPetri
let linkToken: string
let linkCode: string
beforeAll(async () => {
  petri = await startTestPetri({
    controlToken: secrets.token,
    managementKey: secrets.management,
    transport: async () => ({ status: 500, headers: {}, body: 'no' }),
    reportBug: (error) => bugs.push(error),
  })
  const log = console.error
  console.error = (...said: unknown[]) => logged.push(said.join(' '))
  await session()
  console.error = log
})
afterAll(() => petri.close())

async function session() {
  const userId = await createUser(petri, 'ada')
  linkToken = await newToken(petri, userId)
  const { password, mfa, bearer, cookie, hookPassword, customHeader, refresh } = secrets
  const url = `http://hook:${hookPassword}@127.0.0.1:9/in`
  await petri.post('/_petri/webhooks/endpoints', {
    url,
    headers: { authorization: `Bearer ${customHeader}`, 'x-api-key': customHeader },
  })
  const fields = new URLSearchParams({ token: linkToken, username: 'mfa', password, mfa_code: mfa })
  await shoot(petri, 'GET', `/link/sign_in/peloton?${fields}`)
  const headers = {
    'x-vital-link-token': linkToken,
    authorization: `Bearer ${bearer}`,
    cookie: `session=${cookie}`,
    'proxy-authorization': `Basic ${bearer}`,
  }
  await shoot(
    petri,
    'POST',
    '/v2/link/provider/password/peloton',
    JSON.stringify({ username: 'ada', password }),
    headers,
  )
  await shoot(
    petri,
    'POST',
    '/v2/link/provider/password/peloton/complete_mfa',
    JSON.stringify({ mfa_code: mfa }),
    headers,
  )
  await shoot(
    petri,
    'POST',
    '/v2/user',
    JSON.stringify({
      client_user_id: 'eve',
      password,
      nested: [{ refresh_token: refresh, api_key: secrets.wrongKey }],
    }),
    headers,
  )
  await shoot(
    petri,
    'GET',
    `/v2/nothing?api_key=${secrets.wrongKey}&password=${password}`,
    undefined,
    headers,
  )
  await shoot(petri, 'GET', '/v2/user', undefined, {
    'x-management-key': secrets.management,
    'x-vital-org-key': secrets.management,
    'x-petri-control': 'x',
    authorization: `Bearer ${secrets.token}`,
  })
  await shoot(petri, 'POST', `/v2/user?access_token=${bearer}`, `{"password":"${password}`)
  const code = await shoot(petri, 'POST', `/v2/link/code/create?user_id=${userId}`)
  linkCode = JSON.parse(code.text).code
  await shoot(petri, 'POST', `/v2/link/code/exchange?code=${linkCode}&grant_type=sign_in_token`)
  await shoot(petri, 'GET', `/v2/link/connect/fitbit?code=${secrets.oauthCode}&state=x`)
  await advance(petri, '1d')
}

/** What anybody with the key of the world can read, and what goes into files that are passed on. */
const readings = {
  journal: async () => {
    const list = await shoot(petri, 'GET', '/_petri/requests?limit=500')
    const all = await Promise.all(
      JSON.parse(list.text).data.map(({ id }: { id: string }) =>
        shoot(petri, 'GET', `/_petri/requests/${id}`),
      ),
    )
    return [list, ...all].map(({ text }) => text).join('\n')
  },
  export: async () => (await shoot(petri, 'GET', '/_petri/state')).text,
  messages: async () => (await shoot(petri, 'GET', '/_petri/webhooks/messages')).text,
  coverage: async () => (await shoot(petri, 'GET', '/_petri/coverage')).text,
  log: async () => [...logged, ...bugs.map(String)].join('\n'),
}

describe('a secret a client gave', () => {
  it.each(Object.entries(readings))('is not in the %s', async (_, read) => {
    const text = await read()
    for (const [name, secret] of Object.entries({
      ...secrets,
      key: KEY,
      hook: petri.world().identity.webhookSecret,
      linkToken,
      linkCode,
    })) {
      expect(
        text.includes(secret),
        `${name} in ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60)}`,
      ).toBe(false)
    }
  })

  it('is in no refusal', async () => {
    const { password, wrongKey, token } = secrets
    const refusals = [
      await shoot(petri, 'GET', '/v2/user', undefined, { 'x-service-api-key': wrongKey }),
      await shoot(petri, 'GET', '/_petri/worlds', undefined, { authorization: `Bearer ${token}x` }),
      await shoot(petri, 'GET', `/v9/x?password=${password}`),
    ]
    for (const { status, text } of refusals) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(/ZZtop/)
    }
  })
})
