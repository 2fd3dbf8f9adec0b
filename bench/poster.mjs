// A loop that posts and does nothing else, as fast as undici can.
import { Agent, request } from 'undici'

process.once('message', async ({ url, body, count, connections }) => {
  const dispatcher = new Agent({ connections })
  const headers = { 'content-type': 'application/json' }
  // As in a Petri that has been running for a while, the first posts are not the ones that count.
  let left = count
  const post = async () => {
    while (left-- > 0) {
      const reply = await request(url, { method: 'POST', headers, body, dispatcher })
      await reply.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  await dispatcher.close()
  process.disconnect()
})
