// Hono with zod-openapi, which validates as Petri does. Kit orders are kept in memory, those for a named patient in a file too.
// Served when it is run, and called in process when it is imported, with the same arguments.
import { openSync, readFileSync, writeSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { makeOrder } from './order.mjs'

const [, , port, file] = process.argv
const { markers, order } = JSON.parse(readFileSync(file, 'utf8'))
const orders = new Map([[order.id, order]])

const headers = z.object({ 'x-service-api-key': z.string().min(1) })
const answer = { 200: { description: 'Answer', content: { 'application/json': { schema: z.any() } } } }
const Address = z.object({
  receiver_name: z.string().min(1),
  first_line: z.string().min(1),
  second_line: z.string().optional(),
  city: z.string().min(1),
  state: z.string().regex(/^[A-Z]{2}$/),
  zip: z.string().regex(/^\d{5}(-\d{4})?$/),
  country: z.string(),
  phone_number: z.string().regex(/^\+?\d{10,15}$/),
})
const Kit = z.object({ user_id: z.uuid(), lab_test_id: z.uuid(), shipping_details: Address })
const Page = z.object({ page: z.coerce.number().int().default(1), size: z.coerce.number().int().default(50) })

export const app = new OpenAPIHono()
app.get('/', (c) => c.json({ status: 'ok' }))
app.openapi(
  createRoute({
    method: 'get',
    path: '/v3/lab_tests/markers',
    request: { headers, query: Page },
    responses: answer,
  }),
  (c) => {
    c.req.valid('query')
    return c.json(markers)
  },
)
app.openapi(
  createRoute({
    method: 'get',
    path: '/v3/order/{order_id}',
    request: { headers, params: z.object({ order_id: z.uuid() }) },
    responses: answer,
  }),
  (c) => c.json(orders.get(c.req.valid('param').order_id)),
)
app.openapi(
  createRoute({
    method: 'post',
    path: '/v3/order/testkit',
    request: { headers, body: { required: true, content: { 'application/json': { schema: Kit } } } },
    responses: answer,
  }),
  (c) => {
    const placed = makeOrder(order, c.req.valid('json'))
    orders.set(placed.id, placed)
    return c.json({ order: placed, status: 'success', message: 'Order created successfully' })
  },
)
const Patient = z.object({
  first_name: z.string().min(1).max(50),
  last_name: z.string().min(1).max(50),
  dob: z.iso.date(),
  gender: z.enum(['female', 'male', 'other', 'unknown']),
  email: z.email(),
  phone_number: z.string().regex(/^\+?\d{10,15}$/),
})
const PatientOrder = z.object({
  user_id: z.uuid(),
  lab_test_id: z.uuid(),
  patient_details: Patient,
  patient_address: Address,
})
const journal = openSync(`${file}.journal`, 'a')
app.openapi(
  createRoute({
    method: 'post',
    path: '/v3/order',
    request: { headers, body: { required: true, content: { 'application/json': { schema: PatientOrder } } } },
    responses: answer,
  }),
  (c) => {
    const { user_id, patient_details, patient_address } = c.req.valid('json')
    const made = makeOrder(order, { user_id, shipping_details: patient_address })
    const placed = { ...made, patient_details, patient_address }
    orders.set(placed.id, placed)
    writeSync(journal, `${JSON.stringify(placed)}\n`)
    return c.json({ order: placed, status: 'success', message: 'Order created successfully' })
  },
)
if (process.argv[1] === import.meta.filename)
  serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
