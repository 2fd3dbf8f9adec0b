import { beforeAll, expect, it } from 'vitest'
import { MANAGEMENT_KEY } from '../support/management.ts'
import { connectDemo, createUser } from '../support/orders.ts'
import { forAllTests, startTestPetri } from '../support/petri.ts'
import { complete, seedFolder } from '../support/seeds.ts'
import { advance } from '../support/wearables.ts'

/** A provider that the live service has added: it is recorded, but Petri does not know more of it. */
const newcomer = {
  slug: 'newcomer',
  name: 'Newcomer',
  description: 'A watch that is new.',
  logo: null,
  auth_type: 'oauth',
  resources: ['activity', 'sleep'],
}

const petri = forAllTests(() =>
  startTestPetri({ seeds: [seedFolder(complete({ 'providers.json': [newcomer] }))] }),
)
let userId: string
beforeAll(async () => {
  userId = await createUser(petri)
  await connectDemo(petri, userId, 'oura')
  for (const provider of ['oura', 'labcorp']) {
    const samples = [{ timestamp: '2026-01-05T08:00:00Z', value: 61, unit: 'bpm' }]
    const body = { resource: 'heartrate', provider, samples }
    expect(await petri.post(`/_petri/users/${userId}/data`, body)).toAnswer(200)
  }
  await advance(petri, 26 * 3_600_000)
})

it('every GET answers where a folder of seeds has a provider that Petri does not know', {
  tags: 'slow',
}, async () => {
  const headers = { 'x-management-key': MANAGEMENT_KEY }
  const { body } = await petri.post('/v2/link/token', { user_id: userId })
  const failed: string[] = []
  for (const { route, id } of petri.petri.operations) {
    if (!route.startsWith('GET ') || /\/_petri\/(wait|events|metrics)$/.test(route)) continue
    for (const provider of ['newcomer', 'oura', 'labcorp']) {
      const path = route
        .slice('GET '.length)
        .replace(/\{(oauth_)?provider\}/, provider)
        .replace(/\{resource\}/, 'heartrate')
        .replace(/\{\w+\}/g, userId)
      const query = `?start_date=2026-01-01&end_date=2026-01-06&provider=${provider}`
      for (const url of [path, `${path}${query}`]) {
        const reply = await petri.call('GET', url, undefined, {
          ...headers,
          'x-vital-link-token': body.link_token,
        })
        if (reply.status >= 500 && reply.status !== 501) failed.push(`${id} ${url}: ${reply.status}`)
      }
    }
  }
  expect(failed).toEqual([])
})

it('such a provider is listed, and has a priority that can be set by its slug', async () => {
  const listed = await petri.read('/v2/link/providers')
  expect(listed).toMatchObject([{ slug: 'newcomer', name: 'Newcomer' }])
  const body = await petri.read('/v2/team/source/priorities?data_type=sleep')
  expect(body).toMatchObject([{ data_type: 'sleep', source_id: 0, source: { slug: 'newcomer' } }])
  const change = { data_type: 'sleep', source_id: 0, priority: 5 }
  expect(await petri.patch('/v2/team/source/priorities', [change])).toAnswer(400)
})
