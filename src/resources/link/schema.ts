import * as z from 'zod'
import { linkTokenHeaders } from '../../api/credentials.ts'
import {
  boolean,
  dateTime,
  email,
  integer,
  maybe,
  oneOf,
  orNull,
  text,
  textual,
  uuid,
} from '../../api/fields.ts'
import { notText, valueError } from '../../api/issue.ts'
import { pageOf } from '../../api/pagination.ts'
import { anyObject, instant, named, nullableText, schema, unnamed } from '../../api/schema.ts'
import { keysOf } from '../../kernel/fields.ts'
import { headerNames } from '../../kernel/headers.ts'
import { Problem } from '../../kernel/problem.ts'
import { authTypes, linkSourceTypes } from '../catalogue/schema.ts'
import { providerSlugs } from '../providers/schema.ts'

/** Providers by sign-in method, with their regions. Source: docs/contract/connections.md#signing-in, docs/contract/connections.md#connections. */

// biome-ignore format: a list that is read by lines.
export const oauthSlugs = [
  'oura', 'fitbit', 'garmin', 'strava', 'wahoo', 'ihealth', 'withings', 'google_fit', 'dexcom_v3', 'polar',
  'cronometer', 'omron', 'whoop_v2', 'my_fitness_pal_v2', 'ultrahuman', 'runkeeper', 'google_health',
] as const

// biome-ignore format: a list that is read by lines.
export const passwordSlugs = [
  'whoop', 'renpho', 'peloton', 'zwift', 'eight_sleep', 'beurer_api', 'dexcom', 'hammerhead', 'my_fitness_pal',
  'kardia', 'abbott_libreview', 'tandem_source',
] as const

export const emailSlugs = ['freestyle_libre'] as const

/** Providers that are connected by the customer's own app, without a sign-in. */
// biome-ignore format: a list that is read by lines.
const manualSlugs = [
  'beurer_ble', 'omron_ble', 'accuchek_ble', 'contour_ble', 'freestyle_libre_ble', 'onetouch_ble',
  'apple_health_kit', 'manual', 'health_connect', 'samsung_health',
] as const

// biome-ignore format: a list that is read by lines.
const regions = [
  'us', 'eu', 'de', 'fr', 'ca', 'br', 'ar', 'cl', 'co', 'mx', 'gb', 'ie', 'au', 'nz', 'nl', 'at', 'be', 'bh',
  'ch', 'cz', 'dk', 'eg', 'es', 'fi', 'gr', 'hr', 'il', 'it', 'jo', 'kw', 'lb', 'lu', 'no', 'om', 'pl', 'pt',
  'qa', 'sa', 'se', 'si', 'sk', 'tr', 'za', 'in', 'sg', 'hk', 'kr', 'ph', 'tw',
] as const

type OAuthSlug = (typeof oauthSlugs)[number]
export type PasswordSlug = (typeof passwordSlugs)[number]
export type EmailSlug = (typeof emailSlugs)[number]

export const isOAuthSlug = (slug: string): slug is OAuthSlug => oauthSlugs.some((known) => known === slug)
export const isEmailSlug = (slug: string): slug is EmailSlug => emailSlugs.some((known) => known === slug)

const signIns: readonly (readonly [slugs: readonly string[], how: string])[] = [
  [oauthSlugs, 'needs a consent: GET /v2/link/provider/oauth/{} with a link token'],
  [passwordSlugs, 'needs a name and a password: POST /v2/link/provider/password/{} with a link token'],
  [emailSlugs, 'needs an e-mail address: POST /v2/link/provider/email/{} with a link token'],
  [manualSlugs, 'needs no sign-in: POST /v2/link/provider/manual/{}'],
]

/** What connecting needs, if a call was refused for its provider. */
export function howToConnect(error: unknown): string | undefined {
  if (!(error instanceof Problem) || !Array.isArray(error.detail)) return undefined
  const { input } = error.detail.find(({ loc }) => ['provider', 'oauth_provider'].includes(loc.at(-1))) ?? {}
  const [, how] = signIns.find(([slugs]) => slugs.includes(input)) ?? []
  return how && `${input} ${how.replace('{}', input)}`
}

/** Error types and texts of the link flow. Source: docs/contract/errors.md#errors. */
export const linkErrorTexts = {
  invalid_token: 'The link token is invalid.',
  token_expired: 'The link token has expired.',
  token_not_validated: 'The link token has not been validated for this provider.',
  token_consumed: 'The link token has already been used.',
  provider_credential_error: 'The provider refused the credentials.',
  provider_password_expired: 'The password at the provider has expired.',
  provider_api_error: 'The provider could not be reached.',
  unsupported_region: 'The provider has no accounts in this region.',
  duplicate_connection: 'This account at the provider is already connected to another user.',
  required_scopes_not_granted: 'Permissions that are needed were not granted.',
  incorrect_mfa_code: 'The code is not right.',
  user_cancelled: 'The user did not go through with it.',
} as const

export type LinkErrorType = keyof typeof linkErrorTexts

export const linkErrorTypes = keysOf(linkErrorTexts)

export const isLinkErrorType = (text: string): text is LinkErrorType => Object.hasOwn(linkErrorTexts, text)

/** URL schemes a browser would execute or display; the scheme of an app is allowed. */
const RUN_BY_BROWSERS = /^(about|blob|data|file|filesystem|javascript|vbscript|view-source):$/

/** An address a browser can be sent to. */
const redirectUrl = () =>
  textual({}, notText, (input) => {
    const error = 'relative URL without a base'
    if (!URL.canParse(input)) {
      return { type: 'url_parsing', msg: `Input should be a valid URL, ${error}`, ctx: { error } }
    }
    const isRun = RUN_BY_BROWSERS.test(new URL(input).protocol)
    return isRun ? valueError('a browser is sent to web pages and apps only') : input
  })

export const NewLinkToken = schema('NewLinkToken', () => ({
  user_id: uuid(),
  provider: orNull(oneOf(providerSlugs)),
  redirect_url: orNull(redirectUrl()),
  filter_on_providers: orNull(z.array(oneOf(providerSlugs)).min(1)),
  on_error: orNull(oneOf(['redirect'])),
  on_close: orNull(oneOf(['redirect'])),
}))

export const LinkToken = schema('LinkToken', () => ({ link_token: z.string(), link_web_url: z.string() }))

export const CodeQuery = unnamed(() => ({ user_id: uuid(), expires_at: maybe(dateTime()) }))

export const LinkCode = schema('LinkCode', () => ({
  code: z.string().regex(/^(sk|pk)(eu|us)([\da-f]{8})/),
  exchange_url: z.string().regex(/^tryvital:\/\/tryvital\?code=(sk|pk)(eu|us)([\da-f]{8})$/),
  expires_at: instant(),
}))

export const LinkTokenHeaders = unnamed(() => ({
  [linkTokenHeaders[0]]: maybe(text()),
  [linkTokenHeaders[1]]: maybe(text()),
  [linkTokenHeaders[2]]: maybe(text()),
}))

export const LinkProvider = schema('LinkProvider', () => ({
  ...named(),
  description: z.string(),
  logo: z.string(),
  oauth_url: nullableText(),
  auth_type: z.enum(authTypes).nullable(),
  form_components: anyObject(),
}))
export const LinkProviders = unnamed(() => z.array(LinkProvider()))

export const LinkSource = schema('LinkSource', () => ({
  ...named(),
  description: z.string(),
  logo: z.string(),
  group: nullableText(),
  oauth_url: nullableText(),
  auth_type: z.enum(authTypes).nullable(),
  source_type: z.enum(linkSourceTypes).nullable(),
  is_active: z.boolean().nullable(),
  backfill_num_days: z.int().nullable(),
}))

/** The result of a sign-in, or what it waits for. Source: docs/contract/connections.md#signing-in. */
export const LinkResult = schema('LinkResult', () => ({
  state: z.enum(['success', 'error', 'pending_provider_mfa']),
  redirect_url: nullableText(),
  error_type: z.enum(linkErrorTypes).nullable(),
  error: nullableText(),
  provider_mfa: z.object({ method: z.enum(['sms', 'email']), hint: z.string() }).nullable(),
  provider: z.enum([...passwordSlugs, ...emailSlugs]),
  connected: z.boolean().meta({ deprecated: true }),
  provider_id: nullableText().meta({ deprecated: true }),
}))

export const OAuthPath = unnamed(() => ({ oauth_provider: oneOf(oauthSlugs) }))
export const PasswordPath = unnamed(() => ({ provider: oneOf(passwordSlugs) }))
export const EmailPath = unnamed(() => ({ provider: oneOf(emailSlugs) }))
export const ManualPath = unnamed(() => ({ provider: oneOf(manualSlugs) }))

export const PasswordSignIn = schema('PasswordSignIn', () => ({
  username: text(),
  password: text(),
  region: orNull(oneOf(regions)),
}))
export const MfaCode = schema('MfaCode', () => ({ mfa_code: text() }))
export const EmailSignIn = schema('EmailSignIn', () => ({
  email: email(),
  provider: maybe(oneOf(providerSlugs)),
  region: orNull(oneOf(regions)),
}))

/** The query of the OAuth callback. */
export const CallbackQuery = unnamed(() => ({
  state: text().default(''),
  code: maybe(text()),
  error: maybe(text()),
  // An empty value says that nothing was granted; none at all, that nobody was asked.
  scope: maybe(z.array(text())).meta({ param: { allowEmptyValue: true } }),
}))
export const NoRedirect = unnamed(() => ({ [headerNames.noRedirect]: maybe(text()) }))
export const CallbackPath = unnamed(() => ({ provider: oneOf(oauthSlugs) }))

/** The query of the pages. */
export const PageQuery = unnamed(() => ({ token: text().default('') }))
export const FirstPageQuery = unnamed(() => PageQuery().extend({ embedded: boolean().default(false) }))
export const StateQuery = unnamed(() => ({ state: text().default('') }))
export const SignInPath = unnamed(() => ({ provider: oneOf([...passwordSlugs, ...emailSlugs]) }))
export const SignInQuery = unnamed(() => ({
  token: text().default(''),
  username: maybe(text()),
  password: maybe(text()),
  email: maybe(text()),
  mfa_code: maybe(text()),
}))

/** The bodies of routes that only older clients call. Source: docs/contract/connections.md#signing-in. */
export const TokenToCheck = schema('TokenToCheck', () => ({ token: text() }))
export const LinkStart = schema('LinkStart', () => ({ link_token: text(), provider: oneOf(providerSlugs) }))
export const OldPasswordSignIn = schema('OldPasswordSignIn', () => ({
  username: text(),
  password: text(),
  provider: oneOf(providerSlugs),
  auth_type: oneOf(['password', 'oauth', 'email']),
}))
export const OldEmailSignIn = schema('OldEmailSignIn', () => ({
  email: email(),
  provider: oneOf(providerSlugs),
  auth_type: oneOf(['password', 'oauth', 'email']),
  region: orNull(oneOf(regions)),
}))
export const ManualConnection = schema('ManualConnection', () => ({
  user_id: uuid(),
  provider_id: orNull(text()),
  granted_permissions: maybe(z.array(text())),
}))
/** Headers that each call of a mobile SDK has. Source: docs/contract/phones.md#signing-in. */
export const sdkHeaders = ['x-vital-ios-sdk-version', 'x-vital-android-sdk-version'] as const
export const SdkHeaders = unnamed(() => ({ [sdkHeaders[0]]: maybe(text()), [sdkHeaders[1]]: maybe(text()) }))
export const AnyMap = unnamed(anyObject)
export const Flags = unnamed(() => z.record(z.string(), z.boolean()))

/** The credentials of a connection. */
const RecipeInput = schema('ConnectionRecipeInput', () => ({
  user_id: uuid(),
  access_token: text(),
  refresh_token: text(),
  provider_id: text(),
  expires_at: integer(),
  oauth_scopes: orNull(z.array(text())),
}))
export const Recipe = schema('ConnectionRecipe', () => ({
  user_id: z.guid(),
  access_token: z.string(),
  refresh_token: z.string(),
  provider_id: z.string(),
  expires_at: z.int(),
  oauth_scopes: z.array(z.string()).nullable(),
}))

export const BulkImport = schema('BulkImport', () => ({
  provider: oneOf(oauthSlugs),
  connections: z.array(RecipeInput()),
  wait_for_completion: boolean().default(false),
}))
export const BulkImported = schema('BulkImported', () => ({
  user_ids_imported: z.array(z.uuid()),
  user_ids_failed: z.array(z.uuid()),
}))
export const BulkPull = schema('BulkPull', () => ({
  user_ids: z.array(uuid()),
  provider: oneOf(oauthSlugs),
  wait_for_completion: boolean().default(false),
}))
export const BulkPause = schema('BulkPause', () => ({
  user_ids: z.array(uuid()),
  provider: oneOf(oauthSlugs),
}))
export const BulkExport = schema('BulkExport', () => ({
  user_ids: orNull(z.array(uuid())),
  provider: oneOf(oauthSlugs),
  next_token: orNull(text()),
}))
export const BulkExported = schema('BulkExported', () => ({
  data: z.array(Recipe()),
  next_token: nullableText(),
}))
export const Nothing = unnamed(() => z.null())

export const BulkOp = schema('BulkOp', () => ({
  type: z.enum(['link_bulk_import', 'link_bulk_historical_trigger']),
  status: z.enum(['in_progress', 'success', 'failure', 'aborted']),
  provider: z.enum(providerSlugs),
  pending: z.int(),
  processed: z.int(),
  started_at: instant(),
  ended_at: instant().nullable(),
}))
export const BulkOps = schema('BulkOps', () => pageOf(BulkOp()))
export const BulkOpsQuery = unnamed(() => ({
  next_cursor: maybe(text()),
  page_size: integer({ ge: 0, le: 50 }).default(10),
}))
