import { isLinkErrorType, type LinkErrorType } from './error-types.ts'

/** The answer of a provider to a sign-in. */
export type SignIn =
  | { readonly state: 'success' }
  | { readonly state: 'error'; readonly error: LinkErrorType }
  | { readonly state: 'mfa'; readonly method: 'sms' | 'email'; readonly hint: string }

/** Magic passwords. All others are accepted. */
export const magicPasswords: Readonly<Record<string, LinkErrorType>> = {
  wrong: 'provider_credential_error',
  expired: 'provider_password_expired',
}

/** Magic accounts, by the part before the `@`. Every error type is one, too: `provider_api_error@example.com`. All others can sign in. */
export const magicAccounts: Readonly<Record<string, SignIn>> = {
  mfa: { state: 'mfa', method: 'sms', hint: '***-***-0123' },
  'mfa-email': { state: 'mfa', method: 'email', hint: 'a***@example.com' },
  wrong: { state: 'error', error: 'provider_credential_error' },
}

/** The code that completes a two-step sign-in. All others are wrong. */
export const MAGIC_CODE = '123456'

export function signIn(account: string, password?: string): SignIn {
  const name = account.toLowerCase().replace(/@.*$/, '')
  const byPassword = password === undefined ? undefined : ownValue(magicPasswords, password)
  if (byPassword) return { state: 'error', error: byPassword }
  if (isLinkErrorType(name)) return { state: 'error', error: name }
  return ownValue(magicAccounts, name) ?? { state: 'success' }
}

const ownValue = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
