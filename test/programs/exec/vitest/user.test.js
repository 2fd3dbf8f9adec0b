import { expect, it } from 'vitest'

it('creates a user', async () => {
  const response = await fetch('https://api.sandbox.tryvital.io/v2/user', {
    method: 'POST',
    headers: { 'x-vital-api-key': 'test', 'content-type': 'application/json' },
    body: '{"client_user_id":"vitest"}',
  })
  expect((await response.json()).client_user_id).toBe('vitest')
})
