import * as z from 'zod'
import { country, orNull, text } from './fields.ts'
import { nullableText, schema } from './schema.ts'

/** Directions to the door: gate codes, parking, entrances. Source: docs/contract/placing.md#patients-and-addresses. */
const ACCESS_NOTES_LENGTH = 1000

/** Access notes in a request. */
export const accessNotes = () => orNull(text().max(ACCESS_NOTES_LENGTH))

export const streetFields = () => ({
  first_line: z.string(),
  second_line: nullableText(),
  city: z.string(),
  state: z.string(),
})

/** An address in orders and laboratories. */
export const Address = schema('Address', () => ({
  first_line: z.string(),
  second_line: nullableText(),
  country: z.string(),
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  access_notes: z.string().max(ACCESS_NOTES_LENGTH).nullable(),
}))

/** An address in a request, not validated; `zip_code` is read as `zip`. */
export const AddressInput = schema('AddressInput', () =>
  z.preprocess(
    withZip,
    z.object({
      first_line: text(),
      second_line: text().nullable().default(''),
      country: country(),
      zip: text(),
      city: text(),
      state: text(),
      access_notes: accessNotes(),
    }),
  ),
)

/** Accepts the field's name in older samples. */
function withZip(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || 'zip' in input || !('zip_code' in input)) return input
  const { zip_code: zip, ...rest } = input
  return { ...rest, zip }
}
