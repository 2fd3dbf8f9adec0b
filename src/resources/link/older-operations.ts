import { operation } from '../../api/operation.ts'
import { connectManually } from './connect.ts'
import { checkToken, emailAuth, passwordAuth, startLink, stateOfToken, widgetConfig } from './older.ts'
import {
  AnyMap,
  Flags,
  LinkSource,
  LinkStart,
  LinkTokenHeaders,
  ManualConnection,
  ManualPath,
  OldEmailSignIn,
  OldPasswordSignIn,
  TokenToCheck,
} from './schema.ts'
import { getToken, openToken, openTokenFor, tokenIn } from './tokens.ts'

const access = 'link_token'
const deprecated = true

/** No longer in the contract, but still called by older clients. Source: contract/wearables.md §3.3. */
export const olderLinkOperations = [
  operation({
    id: 'link_is_token_valid',
    route: 'POST /v2/link/token/isValid',
    tag: 'link',
    deprecated,
    summary: 'Check whether a link token can be used',
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
      passwordAuth(world, openTokenFor(world, tokenIn(headers), scenario), body),
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
      emailAuth(world, openTokenFor(world, tokenIn(headers), scenario), body),
  }),
  operation({
    id: 'link_connect_manual_provider',
    route: 'POST /v2/link/provider/manual/{provider}',
    tag: 'link',
    deprecated,
    summary: "Connect a provider of the customer's own app",
    params: ManualPath,
    body: ManualConnection,
    returns: Flags,
    run(world, { params, body }, { scenario }) {
      connectManually(world, body.user_id, params.provider, body.provider_id, scenario)
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
