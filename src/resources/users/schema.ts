import * as z from 'zod'
import {
  date,
  goUuid,
  integer,
  maybe,
  number,
  oneOf,
  orNull,
  text,
  timeZone,
  uuid,
} from '../../api/fields.ts'
import { instant, schema, unnamed } from '../../api/schema.ts'

/** A provider as connections name it. */
export const ProviderName = schema('ProviderName', () =>
  z.object({ name: z.string(), slug: z.string(), logo: z.string() }),
)

const ConnectedSource = schema('ConnectedSource', () =>
  z.object({
    provider: ProviderName(),
    created_on: instant(),
    source: ProviderName(),
  }),
)

const FallbackTimeZone = schema('FallbackTimeZone', () =>
  z.object({ id: z.string(), source_slug: z.string(), updated_at: instant() }),
)

const FallbackBirthDate = schema('FallbackBirthDate', () =>
  z.object({ value: z.iso.date(), source_slug: z.string(), updated_at: instant() }),
)

export const User = schema('User', () =>
  z.object({
    user_id: z.guid(),
    team_id: z.uuid(),
    client_user_id: z.string(),
    created_on: instant(),
    connected_sources: z.array(ConnectedSource()),
    fallback_time_zone: FallbackTimeZone().nullable(),
    fallback_birth_date: FallbackBirthDate().nullable(),
    ingestion_start: z.iso.date().nullable(),
    ingestion_end: z.iso.date().nullable(),
  }),
)

export const UserList = schema('UserList', () =>
  z.object({ users: z.array(User()), total: z.int(), offset: z.int(), limit: z.int() }),
)

/** A user as the search returns it, with demographics. Source: docs/contract/users.md. */
export const FoundUser = schema('FoundUser', () =>
  User().extend({
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string().nullable(),
    phone_number: z.string().nullable(),
    dob: z.iso.date().nullable(),
    gender: z.string().nullable(),
  }),
)

export const FoundUserList = schema('FoundUserList', () => UserList().extend({ users: z.array(FoundUser()) }))

export const NewUser = schema('NewUser', () =>
  z.object({
    client_user_id: text(),
    fallback_time_zone: orNull(timeZone()),
    fallback_birth_date: orNull(date()),
    ingestion_start: orNull(date()),
    ingestion_end: orNull(date()),
  }),
)

export const UserPatch = schema('UserPatch', () =>
  z.object({
    fallback_time_zone: maybe(timeZone()),
    fallback_birth_date: maybe(date()),
    ingestion_start: maybe(date()),
    ingestion_end: maybe(date()),
    client_user_id: maybe(text()),
  }),
)

/** Why a user was not created, with the user who has the client user id if it is taken. Source: docs/contract/errors.md#errors. */
export const UserNotCreated = schema('UserNotCreated', () =>
  z.object({
    /** The user who has the reference already. */
    client_user_id: z.string().optional(),
    user_id: z.guid().optional(),
    detail: z.object({
      error_type: z.string(),
      error_message: z.string(),
      user_id: z.guid().optional(),
      created_on: instant().optional(),
    }),
  }),
)

export const Success = schema('Success', () => z.object({ success: z.boolean() }))

/** The path of routes that answer an invalid id with plain text. */
export const GoUserPath = unnamed(() => z.object({ user_id: goUuid('user_id') }))
export const ClientUserPath = unnamed(() => z.object({ client_user_id: text() }))
export const UserPage = unnamed(() =>
  z.object({ offset: integer({ ge: 0 }).default(0), limit: integer({ ge: 0, le: 500 }).default(100) }),
)
export const UserSearch = unnamed(() =>
  z.object({
    search_input: maybe(text()),
    offset: integer({ ge: 0 }).default(0),
    limit: integer({ ge: 0, le: 500 }).default(30),
    order_key: oneOf([
      'created_on',
      'client_user_id',
      'first_name',
      'last_name',
      'email',
      'phone_number',
    ]).default('created_on'),
    order_direction: oneOf(['asc', 'desc']).default('asc'),
  }),
)
export const UserQuery = unnamed(() => z.object({ user_id: maybe(uuid()), client_user_id: maybe(text()) }))

/** The result of a refresh. Source: docs/contract/users.md. */
export const Refreshed = schema('Refreshed', () =>
  z.object({
    success: z.literal(true),
    user_id: z.guid(),
    refreshed_sources: z.array(z.string()),
    in_progress_sources: z.array(z.string()),
    failed_sources: z.array(z.string()),
  }),
)
export const NotRefreshed = schema('NotRefreshed', () =>
  z.object({
    success: z.literal(false),
    user_id: z.guid(),
    error: z.string(),
    failed_sources: z.array(z.string()),
  }),
)
export const RefreshQuery = unnamed(() => z.object({ timeout: number({ ge: 5, le: 60 }).default(10) }))

export const Metrics = schema('Metrics', () =>
  z.object({
    team_id: z.uuid(),
    number_of_connected_sources: z.int(),
    number_of_users: z.int(),
    number_of_errored_connected_sources: z.int(),
    number_of_connected_sources_by_week: z.array(
      z.object({ date: instant(), value: z.number(), all: z.number() }),
    ),
    number_of_ordered_tests: z.int(),
  }),
)

export const SignInToken = schema('SignInToken', () =>
  z.object({ user_id: z.guid(), sign_in_token: z.string() }),
)

export const PortalInput = schema('PortalInput', () =>
  z.object({ context: oneOf(['launch', 'communications']), order_id: orNull(uuid()) }),
)
export const PortalAccess = schema('PortalAccess', () => z.object({ url: z.string(), expires_in: z.int() }))
export const PortalQuery = unnamed(() => z.object({ token: text().default('') }))
