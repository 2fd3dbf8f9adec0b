import * as z from 'zod'
import { date, goUuid, integer, maybe, orNull, text, timeZone, uuid } from '../../api/fields.ts'
import { instant, schema, unnamed } from '../../api/schema.ts'

/** A provider as connections name it. */
export const ProviderName = schema('ProviderName', () => ({
  name: z.string(),
  slug: z.string(),
  logo: z.string(),
}))

const ConnectedSource = schema('ConnectedSource', () => ({
  provider: ProviderName(),
  created_on: instant(),
  source: ProviderName(),
}))

const FallbackTimeZone = schema('FallbackTimeZone', () => ({
  id: z.string(),
  source_slug: z.string(),
  updated_at: instant(),
}))

const FallbackBirthDate = schema('FallbackBirthDate', () => ({
  value: z.iso.date(),
  source_slug: z.string(),
  updated_at: instant(),
}))

export const User = schema('User', () => ({
  user_id: z.guid(),
  team_id: z.uuid(),
  client_user_id: z.string(),
  created_on: instant(),
  connected_sources: z.array(ConnectedSource()),
  fallback_time_zone: FallbackTimeZone().nullable(),
  fallback_birth_date: FallbackBirthDate().nullable(),
  ingestion_start: z.iso.date().nullable(),
  ingestion_end: z.iso.date().nullable(),
}))

export const UserList = schema('UserList', () => ({
  users: z.array(User()),
  total: z.int(),
  offset: z.int(),
  limit: z.int(),
}))

export const NewUser = schema('NewUser', () => ({
  client_user_id: text(),
  fallback_time_zone: orNull(timeZone()),
  fallback_birth_date: orNull(date()),
  ingestion_start: orNull(date()),
  ingestion_end: orNull(date()),
}))

export const UserPatch = schema('UserPatch', () => ({
  fallback_time_zone: maybe(timeZone()),
  fallback_birth_date: maybe(date()),
  ingestion_start: maybe(date()),
  ingestion_end: maybe(date()),
  client_user_id: maybe(text()),
}))

/** Why a user was not created, with the user who has the client user id if it is taken. Source: docs/contract/errors.md#errors. */
export const UserNotCreated = schema('UserNotCreated', () => ({
  /** The user who has the reference already. */
  client_user_id: z.string().optional(),
  user_id: z.guid().optional(),
  detail: z.object({
    error_type: z.string(),
    error_message: z.string(),
    user_id: z.guid().optional(),
    created_on: instant().optional(),
  }),
}))

export const Success = schema('Success', () => ({ success: z.boolean() }))

/** The path of routes that answer an invalid id with plain text. */
export const GoUserPath = unnamed(() => ({ user_id: goUuid('user_id') }))
export const ClientUserPath = unnamed(() => ({ client_user_id: text() }))
export const UserPage = unnamed(() => ({
  offset: integer({ ge: 0 }).default(0),
  limit: integer({ ge: 0, le: 500 }).default(100),
}))
export const UserQuery = unnamed(() => ({ user_id: maybe(uuid()), client_user_id: maybe(text()) }))
