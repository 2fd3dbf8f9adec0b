const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID in lower case and hyphenated, as in responses of the service. */
export const isCanonicalUuid = (text: string): boolean => CANONICAL.test(text)

/** A UUID from its 32 digits. */
export const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')

/** All UUIDs in a text, in any case. */
export const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
