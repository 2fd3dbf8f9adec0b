import { expect, it, onTestFinished, vi } from 'vitest'
import { send, useCredentials } from '../../src/page/api.ts'

it.each([
  ['/v3/order', [['x-service-api-key', 'key']]],
  ['/_petri/worlds', [['authorization', 'Bearer token']]],
  ['/_petri/scenarios/mine?all_worlds=true', [['authorization', 'Bearer token']]],
])('the page calls %s with the credentials it needs, and no others', async (path, expected) => {
  const fetch = vi.fn(async (_: string, __: RequestInit) => new Response())
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('location', { href: 'http://127.0.0.1:4080/_petri/' })
  useCredentials({ key: 'key', token: 'token' })
  onTestFinished(() => {
    useCredentials({ key: undefined, token: undefined })
    vi.unstubAllGlobals()
  })
  await send('POST', path)
  expect(fetch.mock.calls[0]?.[0]).toBe(`http://127.0.0.1:4080${path}`)
  const sent = [...new Headers(fetch.mock.calls[0]?.[1].headers)]
  expect(sent.filter(([name]) => /key|authorization/.test(name))).toEqual(expected)
})
