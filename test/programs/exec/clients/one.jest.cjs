const axios = require('axios')

test('creates a user', async () => {
  const body = { client_user_id: 'jest-one' }
  const headers = { 'x-vital-api-key': 'test' }
  const { data } = await axios.post('https://api.sandbox.tryvital.io/v2/user', body, { headers })
  expect(data.client_user_id).toBe('jest-one')
})
