import { isLinkErrorType, type LinkErrorType } from './error-types.ts'

/** What a provider answers to a sign-in. */
export type SignIn =
  | { readonly state: 'success' }
  | { readonly state: 'error'; readonly error: LinkErrorType }
  | { readonly state: 'mfa'; readonly method: 'sms' | 'email'; readonly hint: string }

/** Magic passwords. Every other one is right. */
export const magicPasswords: Readonly<Record<string, LinkErrorType>> = {
  wrong: 'provider_credential_error',
  expired: 'provider_password_expired',
}

/** Magic accounts, by what stands before the `@`; so is every error type by its name, as in `provider_api_error@example.com`. Every other one signs in. */
export const magicAccounts: Readonly<Record<string, SignIn>> = {
  mfa: { state: 'mfa', method: 'sms', hint: '***-***-0123' },
  'mfa-email': { state: 'mfa', method: 'email', hint: 'a***@example.com' },
  wrong: { state: 'error', error: 'provider_credential_error' },
}

/** The code that ends a sign-in in two steps. Every other one is wrong. */
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
