import { html } from 'hono/html'
import { CustomResponse } from '../../api/operation.ts'
import { type Html, page } from '../../api/responses.ts'
import { publicPath } from '../../kernel/http-call.ts'
import type { World } from '../../world/world.ts'
import { providerName } from '../providers/service.ts'
import { isOAuthSlug, type LinkErrorType, type LinkResult, linkErrorTexts, linkErrorTypes } from './schema.ts'
import { MAGIC_CODE, madeUpAccount } from './service.ts'
import { appOf, consentPath, listLinkProviders, scopesAsked } from './sources.ts'
import type { LinkTokenRow } from './table.ts'
import { redirectOf } from './tokens.ts'
import { reportOf, type WidgetMessage } from './widget.ts'

/** The end of a link flow: a redirect to the customer's page, a report of the widget, or a page of Petri. */
export function endOfLink(
  world: World,
  row: LinkTokenRow,
  { slug, error }: { readonly slug?: string | undefined; readonly error?: LinkErrorType | undefined },
): CustomResponse<never> {
  const location = row.embedded ? undefined : redirectOf(row, error)
  if (location !== undefined) return new CustomResponse<never>(307, undefined, '', { location })
  if (!error) {
    const body = html`<p role="status">The connection is made. You can close this page.</p>`
    return linkPage(world, row, 'Connected', body, { event: 'success', data: connectedBy(world, row, slug) })
  }
  const text = linkErrorTexts[error]
  const body = html`<p role="alert">${text} (<code>${error}</code>)</p>`
  const data = { user_id: row.user_id, error_type: error, error: text }
  return linkPage(world, row, 'Not connected', body, { event: 'error', data })
}

/** A page of a token. In the frame of the widget it reports to the page around it. */
function linkPage(
  world: World,
  { embedded = false }: LinkTokenRow,
  title: string,
  body: Html,
  message?: WidgetMessage,
): CustomResponse<never> {
  const { linkOrigins } = world
  if (!embedded) return page(title, body)
  return page(
    title,
    body,
    linkOrigins,
    message && reportOf(message, linkOrigins, publicPath(world.baseUrl, '/link/report.js')),
  )
}

/** The metadata of a success, with the names that callers read. */
function connectedBy(world: World, { user_id, provider }: LinkTokenRow, slug = provider ?? '') {
  const source = providerName(world, slug)
  return {
    user_id,
    userId: user_id,
    provider_slug: slug,
    connected: [{ name: source.name, slug, providerSlug: slug, source }],
  }
}

const closePath = (world: World, { token }: LinkTokenRow) =>
  publicPath(world.baseUrl, `/link/close?token=${token}`)

/** The consent page of the one provider of a token, if it has one with consent, or else the page with all its providers. */
export const firstPage = (world: World, row: LinkTokenRow): CustomResponse<never> =>
  row.provider !== null && isOAuthSlug(row.provider)
    ? consentPage(world, row, row.provider, { event: 'load', data: {} })
    : choicePage(world, row)

function choicePage(world: World, row: LinkTokenRow): CustomResponse<never> {
  const choices = listLinkProviders(world, row).map(({ slug, name, auth_type }) => {
    const path =
      auth_type === 'oauth' ? consentPath(world, row, slug) : `/link/sign_in/${slug}?token=${row.token}`
    return html`<li><a href="${publicPath(world.baseUrl, path)}">${name}</a></li>\n`
  })
  return linkPage(
    world,
    row,
    'Connect a provider',
    html`<p>Petri is a sandbox: nothing leaves this machine, and all accounts are made up.</p>
<ul>
${choices}</ul>
<p><a href="${closePath(world, row)}">Close</a></p>`,
    { event: 'load', data: {} },
  )
}

/** The consent page of a provider. Its forms lead to the OAuth callback, as real providers do. */
export function consentPage(
  world: World,
  row: LinkTokenRow,
  slug: string,
  message?: WidgetMessage,
): CustomResponse<never> {
  const { name } = providerName(world, slug)
  const { clientId, redirectUrl } = appOf(world, slug)
  const back = redirectUrl ?? publicPath(world.baseUrl, `/v2/link/connect/${slug}`)
  const state = html`<input type="hidden" name="state" value="${row.token}">`
  return linkPage(
    world,
    row,
    `Connect ${name}`,
    html`<p>${world.identity.name} asks to read your data at ${name}. This page takes the place of the provider's own.
The app is <code>${clientId}</code>.</p>
<form action="${back}">${state}
${scopeFields(world, slug)}
<label>Account at ${name} <input name="code" value="${madeUpAccount(world, row.user_id, slug)}" required></label>
<button>Allow</button>
</form>
<form action="${back}">${state}
<button name="error" value="access_denied">Deny</button>
</form>
<form action="${back}">${state}
<label>Let it fail with <select name="error">${errorOptions()}</select></label>
<button>Fail</button>
</form>`,
    message,
  )
}

/** A checkbox for each requested scope. The value `none` distinguishes none granted from none requested. */
function scopeFields(world: World, slug: string): Html {
  const { must, may } = scopesAsked(world, slug)
  if (must.length + may.length === 0) return html``
  const box = (scope: string, note: string) =>
    html`<label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}${note}</label>\n`
  return html`<input type="hidden" name="scope" value="none">
<fieldset><legend>Permissions</legend>
${must.map((scope) => box(scope, ' (needed)'))}${may.map((scope) => box(scope, ''))}</fieldset>`
}

const errorOptions = (): Html[] =>
  linkErrorTypes.map((type) => html`<option value="${type}">${type}: ${linkErrorTexts[type]}</option>`)

/** The sign-in page for a password or an e-mail address, with the error of a failed attempt. */
export function signInPage(
  world: World,
  row: LinkTokenRow,
  { slug, auth }: { readonly slug: string; readonly auth: 'password' | 'email' },
  result?: LinkResultOf,
): CustomResponse<never> {
  const { name } = providerName(world, slug)
  const isWaiting = result?.state === 'pending_provider_mfa' || result?.error_type === 'incorrect_mfa_code'
  const accountFields = auth === 'email' ? emailFields : passwordFields
  const fields = isWaiting ? codeFields(row) : accountFields()
  return linkPage(
    world,
    row,
    `Sign in to ${name}`,
    html`${result?.error ? html`<p role="alert">${result.error}</p>` : ''}
<form action="${publicPath(world.baseUrl, `/link/sign_in/${slug}`)}"><input type="hidden" name="token" value="${row.token}">
${fields}
<button>Sign in</button>
</form>
<p>Made-up accounts only: any name signs in; <code>mfa</code> asks for a code, which is <code>${MAGIC_CODE}</code>;
the password <code>wrong</code> is wrong; an error type as name fails with it.</p>
<p><a href="${closePath(world, row)}">Close</a></p>`,
  )
}

type LinkResultOf = Pick<ReturnType<ReturnType<typeof LinkResult>['parse']>, 'state' | 'error' | 'error_type'>

const codeFields = ({ pending }: LinkTokenRow) =>
  html`<label>Code sent to ${pending?.hint} <input name="mfa_code" inputmode="numeric" autocomplete="off" required></label>`
const emailFields = () =>
  html`<label>E-mail <input name="email" type="email" autocomplete="off" required></label>`
const passwordFields = () =>
  html`<label>Username <input name="username" autocomplete="off" required></label>
<label>Password <input name="password" autocomplete="off" required></label>`

/** Cancels the link flow. */
export function closePage(world: World, row: LinkTokenRow): CustomResponse<never> {
  if (row.on_close === 'redirect' && !row.embedded) return endOfLink(world, row, { error: 'user_cancelled' })
  const body = html`<p role="status">Nothing was connected. You can close this page.</p>`
  return linkPage(world, row, 'Closed', body, { event: 'exit', data: { user_id: row.user_id } })
}
