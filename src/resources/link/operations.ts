import { operation } from '../../api/operation.ts'
import {
  CodeQuery,
  EmailPath,
  EmailSignIn,
  LinkCode,
  LinkProviders,
  LinkResult,
  LinkSource,
  LinkToken,
  LinkTokenHeaders,
  MfaCode,
  NewLinkToken,
  OAuthPath,
  PasswordPath,
  PasswordSignIn,
} from './schema.ts'
import { completeMfa, linkByEmail, linkByPassword } from './service.ts'
import { listLinkProviders, oauthSource } from './sources.ts'
import { createLinkCode, createLinkToken, openToken, openTokenFor, tokenIn } from './tokens.ts'

const access = 'link_token'

export const linkOperations = [
  operation({
    id: 'link_token',
    route: 'POST /v2/link/token',
    summary: 'Create a token with which a user can connect one provider within an hour',
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
      oauthSource(world, openToken(world, tokenIn(headers)), params.oauth_provider),
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
    run: (world, { params, headers, body }, { scenario }) =>
      linkByPassword(world, openTokenFor(world, tokenIn(headers), scenario), params.provider, body),
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
      completeMfa(world, openTokenFor(world, tokenIn(headers), scenario), params.provider, body.mfa_code),
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
      linkByEmail(world, openTokenFor(world, tokenIn(headers), scenario), params.provider, body),
  }),
]
