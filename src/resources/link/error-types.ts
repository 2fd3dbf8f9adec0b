/** Error types and texts of the link flow. Source: contract/errors-and-auth.md §5.4. */
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

export const linkErrorTypes = Object.keys(linkErrorTexts) as [LinkErrorType, ...LinkErrorType[]]

export const isLinkErrorType = (text: string): text is LinkErrorType => Object.hasOwn(linkErrorTexts, text)
