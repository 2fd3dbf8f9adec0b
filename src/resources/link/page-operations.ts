import { operation } from '../../api/operation.ts'
import type { World } from '../../world/world.ts'
import { choicePage, closePage, consentPage, endOfLink, signInPage } from './pages.ts'
import { CallbackPath, CallbackQuery, PageQuery, SignInPath, SignInQuery, StateQuery } from './schema.ts'
import { completeMfa, linkByConsent, linkByEmail, linkByPassword } from './service.ts'
import { type EmailSlug, isEmailSlug, type PasswordSlug } from './slugs.ts'
import { type LinkTokenRow, linkTokens } from './table.ts'
import { assertProvider, getToken, troubleOf, withScenario } from './tokens.ts'

const access = 'link_token'
const produces = 'text/html'

/** The pages and redirects of the link flow. Each is a plain GET, so tests need no browser. */
export const linkPageOperations = [
  operation({
    id: 'petri_link_page',
    route: 'GET /link',
    tag: 'link',
    access,
    produces,
    summary: 'The page of a link token: choose a provider',
    query: PageQuery,
    run: (world, { query }) => shown(world, query.token, (row) => choicePage(world, row)),
  }),
  operation({
    id: 'petri_link_consent_page',
    route: 'GET /link/consent/{provider}',
    tag: 'link',
    access,
    produces,
    summary: "The page that replaces a provider's consent page",
    params: CallbackPath,
    query: StateQuery,
    run: (world, { params, query }) =>
      shown(world, query.state, (row) => {
        assertProvider(row, params.provider)
        return consentPage(world, row, params.provider)
      }),
  }),
  operation({
    id: 'petri_link_sign_in_page',
    route: 'GET /link/sign_in/{provider}',
    tag: 'link',
    access,
    produces,
    summary: 'The page to sign in with a password or an e-mail address',
    params: SignInPath,
    query: SignInQuery,
    run: (world, { params, query }) =>
      shown(world, query.token, (row) => signedIn(world, row, params.provider, query)),
  }),
  operation({
    id: 'petri_link_close_page',
    route: 'GET /link/close',
    tag: 'link',
    access,
    produces,
    summary: 'Cancel the link flow',
    query: PageQuery,
    run: (world, { query }) => closePage(getToken(world, query.token)),
  }),
  operation({
    id: 'petri_link_callback',
    route: 'GET /v2/link/connect/{provider}',
    tag: 'link',
    access,
    produces,
    summary: 'The OAuth callback of providers, with a code or an error',
    params: CallbackPath,
    query: CallbackQuery,
    run(world, { params, query }, { scenario }) {
      const row = withScenario(world, getToken(world, query.state), scenario)
      return endOfLink(row, linkByConsent(world, row, params.provider, query))
    },
  }),
]

/** A page of a token, or the redirect with an error if the token can no longer be used. */
function shown<Page>(world: World, token: string, pageOf: (row: LinkTokenRow) => Page) {
  const row = getToken(world, token)
  const trouble = troubleOf(world, row)
  return trouble ? endOfLink(row, trouble) : pageOf(row)
}

interface Fields {
  readonly username?: string | null | undefined
  readonly password?: string | null | undefined
  readonly email?: string | null | undefined
  readonly mfa_code?: string | null | undefined
}

function signedIn(world: World, row: LinkTokenRow, slug: PasswordSlug | EmailSlug, fields: Fields) {
  assertProvider(row, slug)
  const form = { slug, auth: isEmailSlug(slug) ? ('email' as const) : ('password' as const) }
  const result = attempt(world, row, slug, fields)
  if (!result) return signInPage(world, row, form)
  if (result.state === 'success') return endOfLink(row)
  if (result.redirect_url !== null && result.error_type) return endOfLink(row, result.error_type)
  return signInPage(world, world.db.get(linkTokens, row.token), form, result)
}

function attempt(world: World, row: LinkTokenRow, slug: PasswordSlug | EmailSlug, fields: Fields) {
  const { username, password, email, mfa_code } = fields
  if (isEmailSlug(slug)) return email ? linkByEmail(world, row, slug, { email, region: null }) : undefined
  if (mfa_code) return completeMfa(world, row, slug, mfa_code)
  return username
    ? linkByPassword(world, row, slug, { username, password: password ?? '', region: null })
    : undefined
}
