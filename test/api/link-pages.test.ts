import { beforeEach, describe, expect, it } from 'vitest'
import { linkErrorTypes } from '../../src/resources/link/schema.ts'
import { linkTokens } from '../../src/resources/link/table.ts'
import { browse, newToken } from '../support/link.ts'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'

const DONE = 'https://app.example/done'
const ROOT = '/mounted'
const ORIGINS = ['http://localhost:5173', 'capacitor://localhost']

const petri = forEachTest(() =>
  startTestPetri({ baseUrl: () => `http://127.0.0.1:4080${ROOT}`, linkOrigins: ORIGINS }),
)
let userId: string
beforeEach(async () => {
  userId = await createUser(petri)
})

const tokenOf = (input: object = {}) => newToken(petri, userId, input)
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)
const titleOf = (text: string) => matches(text, /<h1>([^<]*)<\/h1>/g)[0]
const formsOf = (text: string) => matches(text, /<form action="([^"]*)"/g)
const alertOf = (text: string) => matches(text, /<p role="alert">(.*?)<\/p>/g)[0]
const inputsOf = (text: string) => matches(text, /<input (?!type="hidden")[^>]*name="([^"]*)"/g)
/** What a page in the frame of the widget reports. */
const reportOf = (text: string) =>
  JSON.parse(
    matches(text, /<meta name="petri-link" content="([^"]*)">/g)[0]?.replaceAll('&quot;', '"') ?? 'null',
  )

describe('the page of a token', () => {
  it('is that of the provider if the token is for one with OAuth', async () => {
    const { text } = await browse(petri, `/link?token=${await tokenOf({ provider: 'oura' })}`)
    expect(titleOf(text)).toBe('Connect Oura')
    const other = await browse(petri, `/link?token=${await tokenOf({ provider: 'zwift' })}`)
    expect(titleOf(other.text)).toBe('Connect a provider')
  })

  it('leaves out a provider that the OAuth route refuses', async () => {
    const token = await tokenOf({ filter_on_providers: ['map_my_fitness', 'runkeeper'] })
    const { text } = await browse(petri, `/link?token=${token}`)
    expect(matches(text, /\/link\/consent\/(\w+)/g)).toEqual(['runkeeper'])
  })

  it('leads to each provider of the token in its way, and can be closed', async () => {
    const token = await tokenOf({
      filter_on_providers: ['zwift', 'freestyle_libre', 'oura', 'apple_health_kit'],
    })
    const { status, text } = await browse(petri, `/link?token=${token}`)
    expect([status, titleOf(text)]).toEqual([200, 'Connect a provider'])
    const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, name]) => [
      href?.replaceAll('&amp;', '&').replace(/&scope=.*/, ''),
      name,
    ])
    expect(links).toEqual([
      [`${ROOT}/link/consent/oura?state=${token}&client_id=petri-oura`, 'Oura'],
      [`${ROOT}/link/sign_in/zwift?token=${token}`, 'Zwift'],
      [`${ROOT}/link/sign_in/freestyle_libre?token=${token}`, 'Freestyle Libre'],
      [`${ROOT}/link/close?token=${token}`, 'Close'],
    ])
    expect(reportOf(text)).toBeNull()
  })

  it('shows a page for each provider that it leads to', async () => {
    const { text } = await browse(petri, `/link?token=${await tokenOf()}`)
    const paths = matches(text, /<li><a href="([^"]*)">/g).map((href = '') =>
      href.replaceAll('&amp;', '&').slice(ROOT.length),
    )
    expect(paths.length).toBeGreaterThan(25)
    for (const path of paths) expect(await browse(petri, path), path).toAnswer(200)
  })

  it.each(['/link?token=', '/link/consent/oura?state=', '/link/sign_in/zwift?token='])(
    'at %s sends the browser back once the token is over',
    async (path) => {
      const [token, plain] = [await tokenOf({ redirect_url: DONE }), await tokenOf()]
      await advance(petri, '1h')
      expect((await browse(petri, path + token)).location?.href).toBe(
        `${DONE}?state=error&error_type=token_expired&error=The+link+token+has+expired.`,
      )
      const { status, text } = await browse(petri, path + plain)
      expect([status, titleOf(text), alertOf(text)]).toEqual([
        200,
        'Not connected',
        'The link token has expired. (<code>token_expired</code>)',
      ])
      expect(await browse(petri, path)).toAnswer(400)
      expect(await browse(petri, `${path}x`)).toAnswer(401)
    },
  )

  it.each(['/link/consent/oura?state=', '/link/sign_in/zwift?token='])(
    'at %s is refused for a provider that the token does not allow',
    async (path) => {
      const { status, text } = await browse(petri, path + (await tokenOf({ provider: 'fitbit' })))
      expect([status, JSON.parse(text).detail.error_type]).toEqual([400, 'INVALID_PROVIDER'])
    },
  )
})

describe('the page of a consent', () => {
  it('has a form to allow, one to deny and one to fail', async () => {
    const token = await tokenOf()
    const { text } = await browse(petri, `/link/consent/oura?state=${token}`)
    expect(titleOf(text)).toBe('Connect Oura')
    expect(text).toContain('Petri asks to read your data at Oura.')
    expect(text).toContain('The app is <code>petri-oura</code>.')
    expect(formsOf(text)).toEqual(Array(3).fill(`${ROOT}/v2/link/connect/oura`))
    expect(matches(text, /name="state" value="([^"]*)"/g)).toEqual([token, token, token])
    expect(matches(text, /name="code" value="(\d*)"/g)).toEqual([expect.stringMatching(/^\d{10}$/)])
    expect(matches(text, /name="error" value="([^"]*)"/g)).toEqual(['access_denied'])
    expect(text).toContain(
      '<option value="user_cancelled">user_cancelled: The user did not go through with it.</option>',
    )
    for (const type of linkErrorTypes) expect(text).toContain(`<option value="${type}">`)
    expect(text).toContain('<html lang="en">')
    expect(text).not.toMatch(/<script|src=|https?:/)
    expect(text).toContain('<input type="hidden" name="scope" value="none">')
    expect(text).toContain('<input type="checkbox" name="scope" value="daily" checked> daily</label>')
    expect(text).not.toContain('(needed)')
  })

  it('asks for no permission where the provider has none', async () => {
    const { text } = await browse(petri, `/link/consent/ihealth?state=${await tokenOf()}`)
    expect(text).not.toContain('name="scope"')
  })
})

describe('the page of a sign-in', () => {
  const path = async (slug: string, input: object = {}) =>
    `/link/sign_in/${slug}?token=${await tokenOf(input)}`

  it('asks for what the provider needs, and for nothing at first', async () => {
    const zwift = await browse(petri, await path('zwift'))
    expect([titleOf(zwift.text), alertOf(zwift.text)]).toEqual(['Sign in to Zwift', undefined])
    expect(formsOf(zwift.text)).toEqual([`${ROOT}/link/sign_in/zwift`])
    expect(inputsOf(zwift.text)).toEqual(['username', 'password'])
    const libre = await browse(petri, await path('freestyle_libre'))
    expect(inputsOf(libre.text)).toEqual(['email'])
  })

  it('shows a failure, and lets the user try again', async () => {
    const form = await path('zwift')
    const wrong = await browse(petri, `${form}&username=ada&password=wrong`)
    expect(alertOf(wrong.text)).toBe('The provider refused the credentials.')
    expect(inputsOf(wrong.text)).toEqual(['username', 'password'])
    expect(inputsOf((await browse(petri, `${form}&password=x`)).text)).toEqual(['username', 'password'])
    const { text } = await browse(petri, `${form}&username=ada`)
    expect(titleOf(text)).toBe('Connected')
  })

  it('asks for the code until it is right', async () => {
    const form = await path('zwift')
    const waiting = await browse(petri, `${form}&username=mfa&password=x`)
    expect([inputsOf(waiting.text), alertOf(waiting.text)]).toEqual([['mfa_code'], undefined])
    expect(waiting.text).toContain('Code sent to ***-***-0123')
    const wrong = await browse(petri, `${form}&mfa_code=1`)
    expect([inputsOf(wrong.text), alertOf(wrong.text)]).toEqual([['mfa_code'], 'The code is not right.'])
    expect(wrong.text).toContain('Code sent to ***-***-0123')
    expect(titleOf((await browse(petri, `${form}&mfa_code=123456`)).text)).toBe('Connected')
  })

  it('sends the browser back with a failure where the token asks for it', async () => {
    const form = await path('zwift', { redirect_url: DONE, on_error: 'redirect' })
    const { location } = await browse(petri, `${form}&username=ada&password=wrong`)
    expect(location?.searchParams.get('error_type')).toBe('provider_credential_error')
    expect((await browse(petri, `${form}&username=mfa&password=x`)).location).toBeUndefined()
    expect((await browse(petri, `${form}&username=ada&password=x`)).location?.href).toBe(
      `${DONE}?state=success`,
    )
  })
})

describe('the end of a link', () => {
  it('is the page of the token, or one of Petri for an SDK that reads it', async () => {
    const end = async (headers: Record<string, string>) => {
      const token = await tokenOf({ redirect_url: DONE })
      const path = `/v2/link/connect/oura?state=${token}&code=1`
      return (await petri.petri.app.request(path, { headers })).status
    }
    expect(await end({})).toBe(307)
    expect(await end({ 'x-vital-sdk-no-redirect': '0' })).toBe(307)
    expect(await end({ 'x-vital-sdk-no-redirect': '1' })).toBe(200)
  })

  it('that the user chooses goes back only where the token asks for it', async () => {
    const close = async (input: object) => browse(petri, `/link/close?token=${await tokenOf(input)}`)
    expect(titleOf((await close({ redirect_url: DONE })).text)).toBe('Closed')
    expect((await close({ redirect_url: DONE, on_close: 'redirect' })).location?.href).toBe(
      `${DONE}?state=error&error_type=user_cancelled&error=The+user+did+not+go+through+with+it.`,
    )
    expect(titleOf((await close({ on_close: 'redirect' })).text)).toBe('Not connected')
  })
})

describe('a page in the frame of the widget', () => {
  async function embedded(input: object = {}) {
    const token = await tokenOf({ redirect_url: DONE, on_error: 'redirect', on_close: 'redirect', ...input })
    return { token, first: await browse(petri, `/link?token=${token}&embedded=true`) }
  }
  const origins = ORIGINS

  it('reports that it is there', async () => {
    const { first, token } = await embedded()
    expect(reportOf(first.text)).toEqual({ event: 'load', data: {}, origins })
    expect(first.text).toContain(`<script src="${ROOT}/link/report.js" defer></script>`)
    expect(petri.world().db.get(linkTokens, token).embedded).toBe(true)
    const consent = await browse(petri, `/link/consent/oura?state=${token}`)
    expect(reportOf(consent.text)).toBeNull()
  })

  it('reports a connection with its provider', async () => {
    const { token } = await embedded()
    const { status, text } = await browse(petri, `/v2/link/connect/oura?state=${token}&code=1`)
    const logo = 'http://127.0.0.1:4080/mounted/logos/oura.svg'
    expect([status, titleOf(text)]).toEqual([200, 'Connected'])
    expect(reportOf(text)).toEqual({
      event: 'success',
      data: {
        user_id: userId,
        userId,
        provider_slug: 'oura',
        connected: [
          { name: 'Oura', slug: 'oura', providerSlug: 'oura', source: { name: 'Oura', slug: 'oura', logo } },
        ],
      },
      origins,
    })
  })

  it('reports a failure, and stays', async () => {
    const { token } = await embedded()
    const denied = await browse(petri, `/v2/link/connect/oura?state=${token}&error=access_denied`)
    expect(reportOf(denied.text)).toEqual({
      event: 'error',
      data: {
        user_id: userId,
        error_type: 'user_cancelled',
        error: 'The user did not go through with it.',
      },
      origins,
    })
    const wrong = await browse(petri, `/link/sign_in/zwift?token=${token}&username=ada&password=wrong`)
    expect([wrong.status, titleOf(wrong.text), reportOf(wrong.text)]).toEqual([200, 'Sign in to Zwift', null])
  })

  it('reports that it was closed', async () => {
    const { token } = await embedded()
    const { status, text } = await browse(petri, `/link/close?token=${token}`)
    expect([status, titleOf(text)]).toEqual([200, 'Closed'])
    expect(reportOf(text)).toEqual({ event: 'exit', data: { user_id: userId }, origins })
  })
})
