import { describe, expect, it } from 'vitest'
import { forAllTests, startTestPetri } from '../support/petri.ts'

const petri = forAllTests(startTestPetri)

const clock = (headers: Record<string, string>) => petri.get('/_petri/clock', headers)

describe('the control API', () => {
  it.each([
    ['a plain client', { host: 'localhost:4080' }],
    ['this machine by address', { host: '127.0.0.1:4080' }],
    ['this machine by IPv6 address', { host: '[::1]:4080' }],
    ['a container by its service name', { host: 'petri:4080' }],
    ['a container that calls its host', { host: 'host.docker.internal:4080' }],
    ['a pod by its cluster name', { host: 'petri.ci.svc.cluster.local:4080' }],
    ['the private network', { host: '192.168.1.20' }],
    ['an overlay network, lowest address', { host: '100.64.0.1' }],
    ['an overlay network, highest address', { host: '100.127.255.254' }],
    ['a private network of the class between', { host: '172.31.255.254' }],
    ['a link-local address', { host: '169.254.7.7' }],
    ['a unique local IPv6 address', { host: '[fd12:3456::1]:4080' }],
    ['a link-local IPv6 address', { host: '[febf::1]' }],
    [
      'its own page',
      { host: 'localhost:4080', origin: 'http://localhost:4080', 'sec-fetch-site': 'same-origin' },
    ],
    ['the address bar', { host: 'localhost:4080', 'sec-fetch-site': 'none' }],
  ])('answers %s', async (_, headers) => {
    expect(await clock(headers)).toAnswer(200)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a page of another origin', { host: 'localhost:4080', origin: 'https://evil.example' }],
    ['a page on another port', { host: 'localhost:4080', origin: 'http://localhost:3000' }],
    ['a page without an origin of its own', { host: 'localhost:4080', origin: 'null' }],
    ['a page that has its origin spelt like the host', { host: 'localhost', origin: 'localhost' }],
    ['a page, where no host is told', { origin: 'http://localhost:4080' }],
    ['a foreign name that leads here', { host: 'evil.example:4080' }],
    ['a foreign name and its own page', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a foreign name that begins like ours', { host: 'localhost.evil.example' }],
    ['a foreign name that ends like ours', { host: 'notlocalhost.example' }],
    ['a public address', { host: '203.0.113.9:4080' }],
    ['the address below the overlay networks', { host: '100.63.255.255' }],
    ['the address above the overlay networks', { host: '100.128.0.0' }],
    ['an address beside a private network', { host: '172.32.0.1' }],
    ['a public IPv6 address', { host: '[2001:db8::1]:4080' }],
    ['an IPv6 address beside the link-local ones', { host: '[fec0::1]' }],
    ['nonsense', { host: 'localhost:4080@evil.example' }],
  ])('refuses %s', async (_, headers) => {
    expect(await clock(headers)).toRefuse(
      403,
      expect.stringContaining('refuse web pages and foreign host names'),
    )
  })

  it('refuses pages before it looks at any key, and changes nothing for them', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'x-service-api-key': '' }
    expect(await clock(headers)).toAnswer(403)
    expect(await petri.post('/_petri/worlds', {}, { origin: 'https://evil.example' })).toAnswer(403)
    expect(petri.petri.worlds.all()).toHaveLength(1)
  })

  it('allows no page by CORS', async () => {
    const answer = await petri.call('OPTIONS', '/_petri/clock', undefined, { origin: 'https://evil.example' })
    expect(answer).toAnswer(405)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('allows health for all, and the mirrored operations with a key', async () => {
    const foreign = { host: 'evil.example', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await petri.get('/_petri/health', foreign)).toAnswer(200)
    expect(await petri.get('/v2/user', foreign)).toAnswer(200)
  })
})
