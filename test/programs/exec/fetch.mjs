import { threadId } from 'node:worker_threads'

const BASE = 'https://api.sandbox.us.junction.com'

const response = await fetch(`${BASE}/v2/user`, {
  method: 'POST',
  headers: { 'x-vital-api-key': 'test', 'Content-Type': 'application/json' },
  body: JSON.stringify({ client_user_id: `fetch-${process.pid}-${threadId}` }),
})
console.log(response.status)
