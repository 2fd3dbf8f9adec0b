import { operation, withStatus } from '../../api/operation.ts'
import { headerNames } from '../../kernel/headers.ts'
import type { World } from '../../world/world.ts'
import { beginImport, beginPull, exportConnections, listBulkOps, pauseAll } from './bulk.ts'
import { connectManually } from './connect.ts'
import { closePage, consentPage, endOfLink, firstPage, signInPage } from './pages.ts'
import {
  AnyMap,
  BulkExport,
  BulkExported,
  BulkImport,
  BulkImported,
  BulkOps,
  BulkOpsQuery,
  BulkPause,
  BulkPull,
  CallbackPath,
  CallbackQuery,
  CodeQuery,
  EmailPath,
  EmailSignIn,
  type EmailSlug,
  FirstPageQuery,
  Flags,
  isEmailSlug,
  LinkCode,
  LinkProviders,
  LinkResult,
  LinkSource,
  LinkStart,
  LinkToken,
  LinkTokenHeaders,
  ManualConnection,
  ManualPath,
  MfaCode,
  NewLinkToken,
  NoRedirect,
  Nothing,
  OAuthPath,
  OldEmailSignIn,
  OldPasswordSignIn,
  PageQuery,
  PasswordPath,
  PasswordSignIn,
  type PasswordSlug,
  SdkHeaders,
  SignInPath,
  SignInQuery,
  StateQuery,
  sdkHeaders,
  TokenToCheck,
} from './schema.ts'
import {
  checkToken,
  completeMfa,
  linkByAccount,
  linkByConsent,
  linkByEmail,
  olderSignIn,
  startLink,
  stateOfToken,
  widgetConfig,
} from './service.ts'
import { listLinkProviders, oauthSource } from './sources.ts'
import { type LinkTokenRow, linkTokens } from './table.ts'
import {
  assertProvider,
  createLinkCode,
  createLinkToken,
  getToken,
  openToken,
  openTokenFor,
  tokenIn,
  troubleOf,
  withScenario,
} from './tokens.ts'

const access = 'link_token'
const produces = 'text/html'
const deprecated = true

export const linkOperations = [
  operation({
    id: 'link_token',
    route: 'POST /v2/link/token',
    takesUserToken: true,
    summary: 'Create a token with which a user can connect one provider within an hour',
    assumes: [
      'Fitbit and Google Fit connect and send data at any time, although their services end in September and in the course of 2026.',
      'Abbott LibreView, which is closed to teams without an active connection to it, connects. The page of Omron, which refuses a consent without all permissions, has none to refuse.',
      'An account can be connected by several users, unless the feature `reject_duplicate_connection` is on. Workouts that only their owner sees are sent like all others.',
    ],
    body: NewLinkToken,
    returns: LinkToken,
    run: (world, { body }, { scenario }) => createLinkToken(world, body, scenario),
  }),
  operation({
    id: 'link_code_create',
    route: 'POST /v2/link/code/create',
    summary: "Create a code for the service's own app",
    query: CodeQuery,
    returns: LinkCode,
    run: (world, { query }) => createLinkCode(world, query),
  }),
  operation({
    id: 'link_get_all_providers',
    route: 'GET /v2/link/providers',
    access,
    summary: 'List the providers a link token can be used for; all of them for an API key',
    headers: LinkTokenHeaders,
    returns: LinkProviders,
    run(world, { headers }) {
      const token = tokenIn(headers)
      return listLinkProviders(world, token ? openToken(world, token) : undefined)
    },
  }),
  operation({
    id: 'link_generate_oauth_link',
    route: 'GET /v2/link/provider/oauth/{oauth_provider}',
    access,
    summary: 'Get the address at which a user gives consent',
    params: OAuthPath,
    headers: LinkTokenHeaders,
    returns: LinkSource,
    run: (world, { params, headers }) =>
      oauthSource(world, openTokenFor(world, headers), params.oauth_provider),
  }),
  operation({
    id: 'link_connect_password_provider',
    route: 'POST /v2/link/provider/password/{provider}',
    access,
    summary: 'Connect with the name and password a user has at a provider',
    params: PasswordPath,
    headers: LinkTokenHeaders,
    body: PasswordSignIn,
    returns: LinkResult,
    run: (world, { params, headers, body }, { scenario }) => {
      const row = openTokenFor(world, headers, scenario)
      return linkByAccount(world, row, params.provider, body.username, body.password)
    },
  }),
  operation({
    id: 'link_complete_password_provider_mfa',
    route: 'POST /v2/link/provider/password/{provider}/complete_mfa',
    access,
    summary: 'Complete a sign-in with the code the provider has sent',
    params: PasswordPath,
    headers: LinkTokenHeaders,
    body: MfaCode,
    returns: LinkResult,
    run: (world, { params, headers, body }, { scenario }) =>
      completeMfa(world, openTokenFor(world, headers, scenario), params.provider, body.mfa_code),
  }),
  operation({
    id: 'link_connect_email_auth_provider',
    route: 'POST /v2/link/provider/email/{provider}',
    access,
    summary: 'Connect with the e-mail address a user has at a provider',
    params: EmailPath,
    headers: LinkTokenHeaders,
    body: EmailSignIn,
    returns: LinkResult,
    run: (world, { params, headers, body }, { scenario }) =>
      linkByEmail(world, openTokenFor(world, headers, scenario), params.provider, body),
  }),
  // The pages and redirects of the link flow. Each is a plain GET, so tests need no browser.
  operation({
    id: 'petri_link_page',
    route: 'GET /link',
    tag: 'link',
    access,
    produces,
    summary: 'The page of a link token: choose a provider',
    query: FirstPageQuery,
    run: (world, { query }) => shown(world, query.token, (row) => firstPage(world, row), query.embedded),
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
    run: (world, { query }) => closePage(world, getToken(world, query.token)),
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
    headers: NoRedirect,
    run(world, { params, query, headers }, { scenario }) {
      const row = withScenario(world, getToken(world, query.state), scenario)
      const error = linkByConsent(world, row, params.provider, query)
      // The Flutter SDK reads the callback itself.
      const isRead = headers[headerNames.noRedirect] === '1'
      return endOfLink(world, isRead ? { ...row, redirect_url: null } : row, { slug: params.provider, error })
    },
  }),
  operation({
    id: 'link_bulk_import',
    route: 'POST /v2/link/bulk_import',
    summary: 'Import connections',
    body: BulkImport,
    returns: BulkImported,
    alsoReturns: { 202: BulkImported },
    async run(world, { body }) {
      const imported = await beginImport(world, body)
      return body.wait_for_completion ? imported : withStatus(202, imported)
    },
  }),
  operation({
    id: 'link_bulk_trigger_historical_pull',
    route: 'POST /v2/link/bulk_trigger_historical_pull',
    summary: 'Fetch the history of many connections again',
    body: BulkPull,
    returns: Nothing,
    alsoReturns: { 202: Nothing },
    async run(world, { body }) {
      await beginPull(world, body)
      return body.wait_for_completion ? null : withStatus(202, null)
    },
  }),
  operation({
    id: 'link_bulk_export',
    route: 'POST /v2/link/bulk_export',
    summary: 'Export connections',
    body: BulkExport,
    returns: BulkExported,
    run: (world, { body }) => exportConnections(world, body),
  }),
  operation({
    id: 'link_bulk_pause',
    route: 'POST /v2/link/bulk_pause',
    summary: 'Pause many connections',
    body: BulkPause,
    returns: Nothing,
    async run(world, { body }) {
      await pauseAll(world, body)
      return null
    },
  }),
  operation({
    id: 'link_list_bulk_ops',
    route: 'GET /v2/link/bulk_op',
    summary: 'List the bulk operations, newest first',
    query: BulkOpsQuery,
    returns: BulkOps,
    run: (world, { query }) => listBulkOps(world, query),
  }),
  // No longer in the contract, but still called by older clients. Source: docs/contract/connections.md#signing-in.
  operation({
    id: 'link_is_token_valid',
    route: 'POST /v2/link/token/isValid',
    takesUserToken: true,
    tag: 'link',
    access,
    deprecated,
    summary: 'Check whether a link token can be used',
    assumes: ['The link token in a header opens it, too; the service documents a key only.'],
    headers: LinkTokenHeaders,
    body: TokenToCheck,
    returns: AnyMap,
    run: (world, { body }) => ({ ...checkToken(world, body.token) }),
  }),
  operation({
    id: 'link_start_connect',
    route: 'POST /v2/link/start',
    tag: 'link',
    deprecated,
    summary: 'Announce the provider a link token will be used for',
    body: LinkStart,
    returns: AnyMap,
    run: (world, { body }) => ({ ...startLink(world, body) }),
  }),
  operation({
    id: 'link_token_state',
    route: 'GET /v2/link/state',
    tag: 'link',
    access,
    deprecated,
    summary: 'Show the state of a link token',
    headers: LinkTokenHeaders,
    returns: AnyMap,
    run: (world, { headers }) => stateOfToken(world, getToken(world, tokenIn(headers))),
  }),
  operation({
    id: 'link_password_auth',
    route: 'POST /v2/link/auth',
    tag: 'link',
    access,
    deprecated,
    summary: 'Connect with a name and a password',
    headers: LinkTokenHeaders,
    body: OldPasswordSignIn,
    returns: LinkSource,
    run: (world, { headers, body }, { scenario }) =>
      olderSignIn(world, openTokenFor(world, headers, scenario), body, body.username, body.password),
  }),
  operation({
    id: 'link_email_auth',
    route: 'POST /v2/link/auth/email',
    tag: 'link',
    access,
    deprecated,
    summary: 'Connect with an e-mail address',
    headers: LinkTokenHeaders,
    body: OldEmailSignIn,
    returns: LinkSource,
    run: (world, { headers, body }, { scenario }) =>
      olderSignIn(world, openTokenFor(world, headers, scenario), body, body.email),
  }),
  operation({
    id: 'link_connect_manual_provider',
    route: 'POST /v2/link/provider/manual/{provider}',
    tag: 'link',
    deprecated,
    summary: "Connect a provider of the customer's own app",
    takesUserToken: true,
    params: ManualPath,
    headers: SdkHeaders,
    body: ManualConnection,
    returns: Flags,
    run(world, { params, headers, body }, { scenario, userId }) {
      const isSdk = userId !== undefined || sdkHeaders.some((name) => headers[name])
      const account = body.provider_id
      connectManually(world, body.user_id, params.provider, { account, scenario, isSdk })
      return { success: true }
    },
  }),
  operation({
    id: 'team_get_link_config',
    route: 'GET /v2/team/link/config',
    tag: 'team',
    access,
    deprecated,
    summary: 'Get the settings the widget starts with',
    headers: LinkTokenHeaders,
    returns: AnyMap,
    run(world, { headers }) {
      const token = tokenIn(headers)
      if (token) openToken(world, token)
      return widgetConfig(world)
    },
  }),
]

/** A page of a token, or the redirect with an error if the token can no longer be used. */
function shown<Page>(world: World, token: string, pageOf: (row: LinkTokenRow) => Page, embedded = false) {
  const known = getToken(world, token)
  const isFirst = embedded && !known.embedded && world.linkOrigins.length > 0
  const row = isFirst ? world.db.put(linkTokens, { ...known, embedded }) : known
  const error = troubleOf(world, row)
  return error ? endOfLink(world, row, { error }) : pageOf(row)
}

interface SignInFields {
  readonly username?: string | null | undefined
  readonly password?: string | null | undefined
  readonly email?: string | null | undefined
  readonly mfa_code?: string | null | undefined
}

function signedIn(world: World, row: LinkTokenRow, slug: PasswordSlug | EmailSlug, fields: SignInFields) {
  assertProvider(row, slug)
  const form = { slug, auth: isEmailSlug(slug) ? ('email' as const) : ('password' as const) }
  const result = attempt(world, row, slug, fields)
  if (!result) return signInPage(world, row, form)
  if (result.state === 'success') return endOfLink(world, row, { slug })
  if (result.redirect_url !== null && result.error_type && !row.embedded)
    return endOfLink(world, row, { error: result.error_type })
  return signInPage(world, world.db.get(linkTokens, row.token), form, result)
}

function attempt(world: World, row: LinkTokenRow, slug: PasswordSlug | EmailSlug, fields: SignInFields) {
  const { username, password, email, mfa_code } = fields
  if (isEmailSlug(slug)) return email ? linkByAccount(world, row, slug, email) : undefined
  if (mfa_code) return completeMfa(world, row, slug, mfa_code)
  return username ? linkByAccount(world, row, slug, username, password ?? '') : undefined
}
