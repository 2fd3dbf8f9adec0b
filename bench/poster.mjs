// A loop that only sends POST requests, as fast as undici can.
import { Agent, request } from 'undici'

const dispatcher = new Agent({ connections: 10 })
const headers = { 'content-type': 'application/json' }

process.on('message', async ({ url, body, count, connections }) => {
  let left = count
  const post = async () => {
    while (left-- > 0) {
      const reply = await request(url, { method: 'POST', headers, body, dispatcher })
      await reply.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  process.send('posted')
})
