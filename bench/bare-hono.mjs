// The baseline of every ratio: bare Hono, which does the same work and stores nothing.
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { makeOrder } from './order.mjs'

const [, , port, file] = process.argv
const { markers, order } = JSON.parse(readFileSync(file, 'utf8'))
const orders = new Map([[order.id, order]])

const app = new Hono()
app.get('/', (c) => c.json({ status: 'ok' }))
app.get('/v3/lab_tests/markers', (c) => c.json(markers))
app.get('/v3/order/:order_id', (c) => {
  const found = orders.get(c.req.param('order_id'))
  return found ? c.json(found) : c.json({ detail: 'Not Found' }, 404)
})
app.post('/v3/order/testkit', async (c) => {
  const placed = makeOrder(order, await c.req.json())
  orders.set(placed.id, placed)
  return c.json({ order: placed, status: 'success', message: 'Order created successfully' })
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
