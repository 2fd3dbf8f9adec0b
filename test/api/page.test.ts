import { beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '../support/checkout.ts'
import { field } from '../support/field.ts'
import { advance, createUser, orderForPatient, postUser, readOrder, setFeatures } from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const ask = (path: string, headers: Record<string, string> = {}) => petri.petri.app.request(path, { headers })
const aside = { 'x-petri-aside': '1' }

describe('the documentation', () => {
  it('is there as Markdown, page by page and in one text, without a key', async () => {
    const list = await (await ask('/_petri/docs/llms.txt')).text()
    const pages = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, page = '']) => page)
    expect(pages.length).toBeGreaterThan(25)
    const whole = await (await ask('/_petri/docs/llms-full.txt')).text()
    for (const page of pages) {
      const answer = await ask(`/_petri/docs/${page}`)
      expect([page, answer.status, answer.headers.get('content-type')]).toEqual([
        page,
        200,
        'text/markdown; charset=utf-8',
      ])
      expect(whole).toContain(await answer.text())
    }
    expect((await ask('/_petri/docs')).headers.get('location')).toBe('/_petri/docs/README.md')
  })

  it.each(['nothing.md', '../package.json', '%2e%2e/package.json', 'pictures/page-order.png'])(
    'is no other file: %s',
    async (name) => {
      expect(await ask(`/_petri/docs/${name}`)).toAnswer(404)
    },
  )
})

describe('the files of the page', () => {
  it('need no key, say what a browser may do with them, and are asked for again only when they changed', async () => {
    const answer = await ask('/_petri/')
    expect(answer).toAnswer(200)
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    const etag = answer.headers.get('etag') ?? ''
    expect(await ask('/_petri/', { 'if-none-match': etag })).toAnswer(304)
  })

  it('are all there by the names the page gives them', async () => {
    const html = await (await ask('/_petri/')).text()
    const files = [...html.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(([, path = '']) => `/_petri/${path}`)
    expect(files).toHaveLength(3)
    for (const file of files) {
      const answer = await ask(file)
      expect(answer).toAnswer(200)
      const isNamedByContent = !file.endsWith('icon.svg')
      expect(answer.headers.get('cache-control')?.includes('immutable')).toBe(isNamedByContent)
    }
    expect(await ask('/_petri/ui/../../package.json')).toAnswer(404)
    expect(await ask('/_petri/ui/nothing.js')).toAnswer(404)
  })

  it('are the redirect target of the root for browsers; a program is told where they are', async () => {
    const browser = await ask('/', { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/_petri/'])
    const program = await ask('/', { accept: '*/*' })
    expect([program.status, await program.json()]).toEqual([
      200,
      { page: 'http://localhost/_petri/', health: 'http://localhost/_petri/health' },
    ])
    expect(await petri.petri.app.request('/', { method: 'HEAD' })).toAnswer(200)
  })

  it('are where the tracking URL of a shipment leads a browser: to its order', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'happy-path' })
    await orderForPatient(petri, { scenario: 'manual' })
    await advance(petri, '3d')
    const { shipment } = (await readOrder(petri, id)).details.data
    for (const way of ['outbound', 'inbound']) {
      const [url, number] = [shipment[`${way}_tracking_url`], shipment[`${way}_tracking_number`]]
      const browser = await ask(new URL(url).pathname, { 'sec-fetch-mode': 'navigate', accept: 'text/html' })
      expect([browser.status, browser.headers.get('location')]).toEqual([
        302,
        `/_petri/#/orders?search=${number}`,
      ])
      const { data } = await petri.read(`/_petri/orders?search=${number}`)
      expect(data.map(field('id'))).toEqual([id])
      expect(await ask(new URL(url).pathname)).toAnswer(200)
    }
  })
})

describe('behind a proxy that serves a path only', () => {
  const publicUrl = 'https://lab.example/petri'
  const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }

  /** Requests a URL through the proxy, which knows nothing but the prefix. */
  const through = (url: string, headers: Record<string, string> = {}) => {
    const { origin, pathname, search } = new URL(url)
    expect(`${origin}${pathname}`).toMatch(/^https:\/\/lab\.example\/petri\//)
    const headersOfProxy = { 'x-service-api-key': petri.key, ...headers }
    return petri.petri.app.request(`${pathname.slice('/petri'.length)}${search}`, { headers: headersOfProxy })
  }

  /** Follows redirects and reads the page, with the URLs that it names. */
  async function visit(path: string) {
    let url = new URL(path, `${publicUrl}/`).href
    let answer = await through(url, navigation)
    for (; answer.status >= 300 && answer.status < 400; answer = await through(url, navigation))
      url = new URL(answer.headers.get('location') ?? '', url).href
    const html = await answer.text()
    const named = [...html.matchAll(/(?:src|href|action)="([^"]+)"/g)].map(
      ([, to = '']) => new URL(to.replaceAll('&amp;', '&'), url).href,
    )
    return { url, status: answer.status, named }
  }

  beforeEach(async () => {
    petri = await startTestPetri({ publicUrl, baseUrl: () => publicUrl })
  })

  it.each(['', '_petri', '_petri/'])('the page and its files are there: /%s', async (path) => {
    const { url, status, named } = await visit(path)
    expect([url, status, named.length]).toEqual([`${publicUrl}/_petri/`, 200, 3])
    for (const file of named) expect(await through(file)).toAnswer(200)
  })

  it('the documentation, the tracking URL and a trailing slash lead to addresses below the path', async () => {
    expect(await visit('_petri/docs')).toMatchObject({
      url: `${publicUrl}/_petri/docs/README.md`,
      status: 200,
    })
    expect((await visit('tracking/ups/1Z')).url).toBe(`${publicUrl}/_petri/#/orders?search=1Z`)
    await setFeatures(petri, { contract_form: 'live' })
    expect(await visit('v3/lab_tests/?name=a')).toMatchObject({
      url: `${publicUrl}/v3/lab_tests?name=a`,
      status: 200,
    })
    expect(await (await through(`${publicUrl}/`)).json()).toEqual({
      page: `${publicUrl}/_petri/`,
      health: `${publicUrl}/_petri/health`,
    })
  })

  it('the pages of a link and of a payment name addresses below the path', async () => {
    const user_id = await createUser(petri)
    const { link_web_url } = (await petri.post('/v2/link/token', { user_id })).body
    const choice = await visit(link_web_url)
    expect(choice).toAnswer(200)
    const pages = choice.named.filter((url) => /consent\/oura|sign_in\/zwift/.test(url))
    expect([choice.named.length > 20, pages.length]).toEqual([true, 2])
    for (const url of choice.named) expect(url).toMatch(/^https:\/\/lab\.example\/petri\/link\//)
    for (const url of pages) {
      const { status, named } = await visit(url)
      expect([url, status, named.length > 0]).toEqual([url, 200, true])
      for (const each of named) expect(each).toMatch(/^https:\/\/lab\.example\/petri\//)
    }
    const { body: session } = await openSession(petri)
    const payment = await visit(session.payment_resource_url)
    expect(payment).toMatchObject({ status: 200, named: [`${publicUrl}/checkout/pay`] })
  })
})

describe('looking aside', () => {
  it('leaves no trace: no request, no coverage, no fault, no effect', async () => {
    const user = await createUser(petri)
    await petri.post('/_petri/faults', {
      faults: [{ operation: 'GET /v2/user', times: 1, respond: { status: 503 } }],
    })
    const before = await traces()
    const heard: unknown[] = []
    const stop = petri.world().agenda.bus.subscribe({ onEffect: (effect) => heard.push(effect), onEnd() {} })
    expect(await petri.get('/v2/user', aside)).toAnswer(200)
    expect(await petri.get(`/v2/user/${user}`, aside)).toAnswer(200)
    expect(await petri.get('/v2/user/nobody', aside)).toAnswer(422)
    stop()
    expect(heard).toEqual([])
    expect(await traces()).toEqual(before)
    expect(await petri.get('/v2/user')).toAnswer(503)
  })

  const traces = async () => [
    await petri.read('/_petri/requests'),
    await petri.read('/_petri/coverage'),
    await petri.read('/_petri/faults'),
  ]

  it('is for this machine only, and for reading only', async () => {
    const foreign = { ...aside, 'sec-fetch-site': 'same-site' }
    expect(await petri.get('/v2/user', foreign)).toAnswer(403)
    await postUser(petri, 'ada', aside)
    expect((await petri.read('/_petri/requests')).data).toHaveLength(1)
  })

  it('is told apart from what the page does', async () => {
    await postUser(petri, 'ada', { 'x-petri-from': 'page' })
    await createUser(petri, 'bob')
    const { data } = await petri.read('/_petri/requests')
    expect(data.map(field('from'))).toEqual(['page', null])
  })
})

describe('lists for a page', () => {
  it('have the newest request first, and find one by what it has in it', async () => {
    const order = await orderForPatient(petri)
    await petri.get('/v2/user')
    const list = async (query: string) => (await petri.read(`/_petri/requests?${query}`)).data
    expect((await list('order=desc'))[0].path).toBe('/v2/user')
    expect(await list(`order_id=${order.id}`)).toMatchObject([{ path: '/v3/order' }])
    expect(await list(`user_id=${order.user_id}&q=post%20example`)).toHaveLength(1)
    expect(await list('ignored=true')).toEqual([])
  })

  it('have messages in short, with the call that caused them', async () => {
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:1/hook' })
    await orderForPatient(petri)
    const { data } = await petri.read(
      '/_petri/webhooks/messages?order=desc&fields=summary&q=labtest.order.created',
    )
    expect(data).toMatchObject([{ event_type: 'labtest.order.created', payload: null, attempts: [] }])
    const request = await petri.read(`/_petri/requests/${data[0].request_id}`)
    expect(request).toMatchObject({ path: '/v3/order', method: 'POST' })
  })
})
