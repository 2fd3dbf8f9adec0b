import { beforeEach, describe, expect, it } from 'vitest'
import type { AnyOperation } from '../../src/api/operation.ts'
import type { Table } from '../../src/storage/table.ts'
import { worldTables } from '../../src/tables.ts'
import { jsonSchemaOf, type Known, methodOf, pathOf, sample, someRows } from '../support/attack.ts'
import { MANAGEMENT_KEY } from '../support/management.ts'
import {
  address,
  advance,
  changeInfo,
  createUser,
  deleteUser,
  orderForPatient,
  readOrder,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'

const DOB = '1971-02-03'

/** What every text about the user says. */
const about = {
  first_name: 'Vivienne',
  last_name: 'Vanished',
  client_user_id: 'vanished',
  dob: DOB,
  birth_date: DOB,
  zip: '85004',
  zip_code: '85004',
  state: 'AZ',
  us_state: 'AZ',
  city: 'Phoenix',
  phone_number: '+16025550123',
  payor_code: 'UNITE',
  time_zone: 'UTC',
  tzinfo: 'UTC',
  fallback_time_zone: 'UTC',
}

const petri = forEachTest(startTestPetri)
let userId: string
beforeEach(async () => {
  userId = await createUser(petri)
})

const callsOfUser = (known: Known, all: boolean) => (operation: AnyOperation) => {
  const valuesOf = (schema: AnyOperation['query'], isComplete: boolean) =>
    Object.entries(schema ? (sample(jsonSchemaOf(schema()), known, isComplete) as Known) : {})
  const params = Object.fromEntries(valuesOf(operation.params, true))
  const query = new URLSearchParams(valuesOf(operation.query, false))
  const path = `${pathOf(operation, (name) => params[name] ?? known[name] ?? 'x')}?${query}`
  const body = operation.body && sample(jsonSchemaOf(operation.body()), known, all)
  const headers = { 'x-idempotency-key': `${operation.id}/${all}`, 'x-management-key': MANAGEMENT_KEY }
  return petri.call(methodOf(operation), path, body, headers)
}

/** Operations that replace the world, move its clock, wait, or delete something. */
const other = /reset|clock|state_put|snapshots|cancel|mcp|world|wait|undo/
const mayStore = ({ id, route, access }: AnyOperation) =>
  !/^(GET|DELETE) /.test(route) && access !== 'control' && !other.test(id)

async function eraseUser(): Promise<void> {
  await deleteUser(petri, userId)
  await advance(petri, '8d')
}

/** The tables that say something of the user, by their names. */
async function tablesAbout(texts: readonly string[]): Promise<string[]> {
  const { tables } = await petri.read('/_petri/state')
  return Object.keys(tables).filter((name) =>
    texts.some((text) => JSON.stringify(tables[name]).includes(text)),
  )
}

// Every operation is called twice.
describe('a user who was deleted eight days ago', { timeout: 60_000 }, () => {
  it('has left nothing, whatever the operations have stored', { tags: 'slow' }, async () => {
    const rows = await someRows(petri)
    userId = rows.user_id ?? ''
    const known = { ...rows, ...about, insured: 'Self', provider: 'fitbit' }
    for (const all of [false, true])
      for (const operation of petri.petri.operations.filter(mayStore))
        await callsOfUser(known, all)(operation)
    const texts = [userId, rows.order_id ?? '', rows.kit_order_id ?? '', about.last_name]
    expect((await tablesAbout(texts)).length).toBeGreaterThan(15)
    await eraseUser()
    expect(await tablesAbout(texts)).toEqual([])
    await advance(petri, '30d')
    expect(await tablesAbout(texts)).toEqual([])
  })

  it('has left nothing in any table that can name a user or an order', async () => {
    const { id: order_id } = await orderForPatient(petri, { user: userId })
    const { db } = petri.world()
    const known = { ...about, user_id: userId, resolved_user_id: userId, order_id }
    const named: string[] = []
    for (const table of worldTables as unknown as readonly Table<object, string>[]) {
      const schema = jsonSchemaOf(table.schema())
      if (!/"(user_ids?|order_id)"/.test(JSON.stringify(schema)) || table.name === 'users') continue
      const row = sample(schema, known, true) as object
      if (table.name !== 'orders') db.put(table, row)
      named.push(table.name)
    }
    expect(named.length).toBeGreaterThan(30)
    await eraseUser()
    expect(await tablesAbout([userId, order_id, about.last_name])).toEqual([])
  })

  it('has no insurance when the same id is adopted', async () => {
    await setFeatures(petri, { adopt_users: true })
    const info = { ...about, email: 'vivienne@example.com', gender: 'female', address }
    expect(await changeInfo(petri, userId, info)).toAnswer(200)
    const insurance = { payor_code: 'UNITE', member_id: 'M1', insured: info, relationship: 'Self' }
    expect(await petri.post(`/v2/user/${userId}/insurance`, insurance)).toAnswer(200)
    await eraseUser()
    expect(await petri.get(`/v2/user/${userId}/insurance/latest`)).toAnswer(404)
    expect(await petri.get(`/v2/user/${userId}`)).toAnswer(200)
  })

  it('leaves the data of others where they are, also in rows that were of both', {
    tags: 'slow',
  }, async () => {
    const grace = await createUser(petri, 'grace')
    const kept = await orderForPatient(petri, { user: grace })
    await orderForPatient(petri, { user: userId })
    const recipe = {
      access_token: 'a',
      refresh_token: 'b',
      provider_id: 'c',
      expires_at: 1,
      oauth_scopes: [],
    }
    const connections = [userId, grace].map((user_id) => ({ ...recipe, user_id }))
    await petri.post('/v2/link/bulk_import', { provider: 'fitbit', connections })
    await eraseUser()
    const { tables } = await petri.read('/_petri/state')
    expect(Object.keys(tables.orders)).toEqual([kept.id])
    expect(Object.values(tables.bulk_ops)).toMatchObject([
      { user_ids: [grace], connections: [{ user_id: grace }] },
    ])
    expect((await petri.read('/v3/orders')).total).toBe(1)
    expect((await readOrder(petri, kept.id)).status).not.toBe('received')
  })
})

it('every table that can name a user or what belongs to one says whose its rows are', () => {
  const owned = /"(user_ids?|order_id|appointment_id|message_id|event_id)"/
  const without = worldTables.filter(
    ({ schema, owners, owns }) =>
      owners.length === 0 && owns !== 'user' && owned.test(JSON.stringify(jsonSchemaOf(schema()))),
  )
  expect(without.map(({ name }) => name)).toEqual([])
  const owners = worldTables.flatMap((table) => table.owners)
  expect([...new Set(owners)].filter((owner) => !worldTables.some(({ owns }) => owns === owner))).toEqual([])
})
