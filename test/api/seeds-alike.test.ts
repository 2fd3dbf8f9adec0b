import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { KEY, startTestPetri } from '../support/petri.ts'
import { rounds, sampled } from '../support/rounds.ts'

const USER = '11111111-1111-4111-8111-111111111111'
const ORDER = '22222222-2222-4222-8222-222222222222'
const PROVIDERS = ['fitbit', 'oura', 'dexcom_v3']
const RANGE = 'start_date=2026-01-10&end_date=2026-01-20'

const bundledScenarios = () =>
  readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))

/** All that a world of a seed says after an order in each bundled scenario, and a user of each provider. */
async function tell(seed: string, names: readonly string[]): Promise<string> {
  const petri = await startTestPetri({
    world: { seed, webhookUrl: 'http://localhost:9/' },
    transport: async () => ({ status: 200, headers: {}, body: '' }),
  })
  const told: string[] = []
  // Without the checks of `petri.call`, which take longer than all else for bodies of megabytes.
  const call = async (method: string, path: string, body?: object) => {
    const response = await petri.petri.app.request(path, {
      method,
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.text()
  }
  const get = async (path: string) => {
    const text = await call('GET', path)
    told.push(`${path} ${text}`)
    return JSON.parse(text)
  }
  await call('PATCH', '/_petri/world', { features: { adopt_users: true, history: '3d' } })
  for (const name of names) await call('POST', '/_petri/orders', { scenario: name })
  await call('POST', '/_petri/orders', { id: ORDER, user_id: USER, scenario: 'natural-result' })
  const users = [USER]
  for (const provider of PROVIDERS) {
    const { user_id } = JSON.parse(await call('POST', '/v2/user', { client_user_id: provider }))
    await call('POST', '/v2/link/connect/demo', { user_id, provider })
    users.push(user_id)
  }
  await call('POST', '/_petri/clock/advance', { by: '21d' })
  const { seed: _, behaviour_seed: __, ...state } = JSON.parse(await call('GET', '/_petri/state'))
  told.push(JSON.stringify(state))
  for (const id of Object.keys(state.tables.orders)) await get(`/v3/order/${id}/result`)
  for (const user of users) {
    await get(`/_petri/users/${user}/truth?${RANGE}`)
    for (const resource of ['sleep', 'activity', 'workouts', 'body', 'profile'])
      await get(`/v2/summary/${resource}/${user}?${RANGE}`)
    for (const series of ['heartrate', 'glucose'])
      await get(`/v2/timeseries/${user}/${series}/grouped?${RANGE}`)
  }
  await petri.close()
  return told.join('\n')
}

const WORD = /[A-Za-z0-9_-]+/g
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Ids of messages and endpoints, sample ids, devices, parcels, other numbers that identify, and slugs that begin with the team. */
const OTHER_ID = /^(msg_|ep_)\w{27}$|^[A-Z0-9]{6,18}$|^\d{11,}$|^[0-9a-f]{8}-[a-z-]+$/

it('seeds that differ after ~ tell the same story under other ids', {
  timeout: rounds(600_000),
  tags: 'slow',
}, async () => {
  const names = sampled(bundledScenarios())
  const one = await tell('1', names)
  const other = await tell('1~7', names)
  expect(other.replaceAll(WORD, '')).toBe(one.replaceAll(WORD, ''))
  const words = other.match(WORD) ?? []
  const others = new Map<string, string>()
  const back = new Map<string, string>()
  for (const [at, word] of (one.match(WORD) ?? []).entries()) {
    const twin = words[at] ?? ''
    if (others.get(word) === twin) continue
    if (word !== twin) expect(UUID.test(word) || OTHER_ID.test(word), `${word} became ${twin}`).toBe(true)
    expect([others.get(word), back.get(twin)], `${word} and ${twin}`).toEqual([undefined, undefined])
    others.set(word, twin)
    back.set(twin, word)
  }
  expect([others.get(USER), others.get(ORDER)]).toEqual([USER, ORDER])
  const isOther = ([word, twin]: readonly [string, string]) => word !== twin
  expect([...others].filter(isOther).length).toBeGreaterThan(1000)
})
