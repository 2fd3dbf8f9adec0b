// Webhook receivers.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Answers 204 and counts. */
export async function startReceiver() {
  const received = { count: 0, firstAt: 0, lastAt: 0 }
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received.lastAt = performance.now()
      if (received.count++ === 0) received.firstAt = received.lastAt
      response.writeHead(204).end()
    })
  })
  return { ...(await listening(server)), received }
}

/** A receiver that never answers: messages are stored, but sending them takes no time from the measured work. */
export const startSilentReceiver = () => listening(createServer((request) => request.resume()))

async function listening(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, stop }
}
