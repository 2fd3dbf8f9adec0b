import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { request } from 'undici'
import { load } from '../load.mjs'
import { startPetri } from '../processes.mjs'
import { sandbox } from '../sandbox.mjs'

/** The longest wait of a small request, in milliseconds, during the heaviest calls of another client. */
export async function measureStalls({ main, folder, orders }) {
  const petri = await startPetri(main, join(folder, 'stalls'), {
    flags: ['--frozen', '--now', '2026-01-05T09:00:00Z'],
  })
  const watch = new Worker(new URL('../fuzz-time-watch.mjs', import.meta.url), {
    workerData: { url: petri.url },
  })
  const { key, ask, kitRequest } = await sandbox(petri.url)
  await load(petri.port, [kitRequest], orders)
  const user = await ask('POST', '/v2/user', { client_user_id: 'stalls' })
  await ask('POST', '/v2/link/connect/demo', { user_id: user.user_id, provider: 'apple_health_kit' })
  const waits = {}
  for (const [name, call] of Object.entries(heavyCalls(user.user_id))) {
    watch.postMessage('begin')
    await send(petri.url, key, call)
    waits[name] = await new Promise((resolve) => {
      watch.once('message', resolve)
      watch.postMessage('end')
    })
  }
  await watch.terminate()
  await petri.stop()
  return { stallOfCalls: Math.max(...Object.values(waits)), stalls: waits }
}

/** Makes a call and reads its answer to the end. */
export async function send(url, key, { method = 'POST', path, body, contentType = 'application/json' }) {
  const answer = await request(url + path, {
    method,
    headers: { 'x-service-api-key': key, ...(body !== undefined && { 'content-type': contentType }) },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  await answer.body.dump({ limit: Number.POSITIVE_INFINITY })
}

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at))

/** The heaviest calls, each at its limit. */
export const heavyCalls = (userId) => ({
  'a year of heart rate in one list': {
    method: 'GET',
    path: `/v2/timeseries/${userId}/heartrate?start_date=2025-01-01`,
  },
  'a page of heart rate': {
    method: 'GET',
    path: `/v2/timeseries/${userId}/heartrate/grouped?start_date=2025-01-01`,
  },
  '20,000 samples put in': {
    path: `/_petri/users/${userId}/data`,
    body: {
      resource: 'glucose',
      provider: 'freestyle_libre',
      samples: many(20_000, (at) => ({
        timestamp: new Date(Date.parse('2025-06-01T00:00:00Z') + at * 60_000).toISOString(),
        value: 5,
      })),
    },
  },
  'events of every order sent again': {
    path: '/v3/order/resend_events',
    body: { start_at: '2026-01-01T00:00:00Z' },
  },
  '5,000 unknown users imported': {
    path: '/v2/link/bulk_import',
    body: {
      provider: 'fitbit',
      wait_for_completion: true,
      connections: many(5000, (at) => ({
        user_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        access_token: 'a',
        refresh_token: 'b',
        provider_id: 'c',
        expires_at: 1_900_000_000,
      })),
    },
  },
  'codes checked': {
    path: '/v3/insurance/validate_icd_codes',
    body: { codes: many(100, (at) => `E1${at % 2}.${at}`) },
  },
  'a long search in the compendium': {
    path: '/v3/compendium/search',
    body: { mode: 'canonical', query: 'a '.repeat(5000) },
  },
  'an unknown path of 15 KB': { method: 'GET', path: `/v2/${'x'.repeat(15_000)}` },
  'a scenario file as long as it may be': {
    method: 'PUT',
    path: '/_petri/scenarios/long',
    body: `{${many(450, (at) => `k${at}: 1`).join(', ')}}`,
    contentType: 'application/yaml',
  },
  'orders by any text': { method: 'GET', path: '/v3/orders?search_input=zzzz&order_key=patient_name' },
  'an aggregate over a year, 50 times': {
    path: `/aggregate/v1/user/${userId}/query`,
    body: {
      timeframe: { type: 'relative', anchor: '2026-01-05', past: { value: 1, unit: 'year' } },
      queries: many(50, () => ({
        select: [{ group_key: '*' }, { func: 'sum', arg: { activity: 'steps' } }],
        group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'activity' } }],
      })),
    },
  },
  'the clock a month on': {
    path: '/_petri/clock/advance',
    body: { by: '30d' },
  },
  'the whole world told': { method: 'GET', path: '/_petri/state' },
  'a snapshot taken': { method: 'PUT', path: '/_petri/snapshots/stalls', body: {} },
  'a snapshot restored': { path: '/_petri/snapshots/stalls/restore', body: {} },
  'another pace': { method: 'PATCH', path: '/_petri/clock', body: { pace: 1 } },
  'a day later': { path: '/_petri/clock/advance', body: { by: '1d' } },
})
