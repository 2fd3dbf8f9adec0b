import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shipping } from '../support/orders.ts'
import { hasBrowser, overhang, picture, type Stage, setStage } from './browser.ts'
import { everyPlace, placeKit } from './scene.ts'

const MARKUP = `<img src=x onerror="alert(1)"><script>alert(2)</script>`
/** Markup, text from right to left, emoji, and a word of ten kilobytes. */
const HOSTILE = `${MARKUP} \u202Egnirts \u05D0\u05D1\u05D2 🧪👩‍🔬 ${'w'.repeat(10_000)}`
const short = (length: number) => HOSTILE.slice(0, length)

describe.skipIf(!hasBrowser)('text that clients sent', { timeout: 120_000 }, () => {
  let stage: Stage
  let places: string[]
  beforeAll(async () => {
    stage = await setStage()
    places = await fillWithHostileText(stage)
  }, 240_000)
  afterAll(() => stage.close())

  it('is shown as text in every view', async () => {
    const { page, trouble, show } = await stage.open()
    page.on('dialog', () => trouble.push('a script ran'))
    for (const place of places) {
      await show(place)
      expect([place, await page.locator('main img, main script, .activity img').count()]).toEqual([place, 0])
      expect([place, await overhang(page)]).toEqual([place, 0])
      await picture(page, `hostile-${place.replace(/\W/g, '-').slice(0, 14)}`)
    }
    // What is not there is refused, which the browser writes down too.
    expect(trouble.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
  })
})

/** Answers the views that show it. */
async function fillWithHostileText({ call }: Stage): Promise<string[]> {
  const made = async (path: string, body: object, headers = {}) => {
    const answer = await call('POST', path, body, headers)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body).slice(0, 300)}`)
    return answer.body
  }
  const own = await made('/_petri/worlds', { name: short(100) })
  await call('DELETE', `/_petri/worlds/${own.team_id}`)
  const named = await call('PATCH', '/_petri/world', { name: short(100) })
  if (named.status >= 500) throw new Error('the name of a world')
  const endpoint = await made('/_petri/webhooks/endpoints', {
    url: `http://127.0.0.1:9/${encodeURIComponent(short(200))}`,
    description: short(200),
    headers: { 'x-note': MARKUP },
  })
  const { user_id } = await made('/v2/user', { client_user_id: short(200) })
  const [{ id: lab_test_id }] = (await call('GET', '/v3/lab_tests?collection_method=testkit')).body
  const placed = await call('POST', '/v3/order/testkit', {
    user_id,
    lab_test_id,
    shipping_details: { ...shipping, receiver_name: short(120), first_line: short(120), city: short(60) },
  })
  const orderId = placed.status === 200 ? placed.body.order.id : await placeKit({ call } as Stage, 'manual')
  expect(placed).toAnswer(200)
  await call('POST', `/_petri/orders/${orderId}/move`, { status: 'cancelled', status_detail: MARKUP })
  await call('POST', '/v2/user', { client_user_id: 'x', [short(60)]: HOSTILE })
  await call('GET', `/v2/${encodeURIComponent(short(300))}?${encodeURIComponent(short(90))}=1`)
  await call('PUT', `/_petri/snapshots/${encodeURIComponent(short(60))}`)
  await call('PUT', '/_petri/scenarios/hostile', {
    source: `name: hostile\nsummary: ${JSON.stringify(HOSTILE)}\nmethod: testkit\nsteps:\n  - { after: 1d, status: transit_customer, only: registrable_kit }\n`,
  })
  await call('POST', '/_petri/faults', {
    faults: [{ operation: 'GET /v2/user/metrics', respond: { status: 503, detail: HOSTILE } }],
  })
  await call('GET', '/v2/user/metrics')
  await call('POST', '/_petri/clock/advance', { by: '1h' })
  const { data: messages } = (await call('GET', '/_petri/webhooks/messages')).body
  const { data: requests } = (await call('GET', '/_petri/requests')).body
  expect([messages.length > 0, requests.length > 3, endpoint.id !== '']).toEqual([true, true, true])
  return [
    ...everyPlace({ orderId, userId: user_id }),
    ...requests.map(({ id }: { id: string }) => `requests/${id}`),
    `webhooks/${encodeURIComponent(messages[0].id)}`,
    'scenarios/hostile',
    'orders?dialog=worlds',
    'orders?dialog=place',
    // Addresses that name nothing.
    `orders/${encodeURIComponent(MARKUP)}`,
    `users/${encodeURIComponent(MARKUP)}`,
    `scenarios/${encodeURIComponent(MARKUP)}`,
    `api/${encodeURIComponent(MARKUP)}`,
    encodeURIComponent(MARKUP),
  ]
}
