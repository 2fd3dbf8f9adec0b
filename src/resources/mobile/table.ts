import * as z from 'zod'
import { count, instantMs, ofUser, type RowOf, table } from '../../storage/table.ts'
import { SyncProgress } from './schema.ts'

/** The sign-in of a mobile app, which continues with its refresh token. */
export const mobileSessions = table(
  'mobile_sessions',
  () =>
    z.object({
      refresh_token: z.string(),
      user_id: z.string(),
      /** Whether the app must sign in again. */
      revoked: z.boolean(),
      created_at: instantMs(),
    }),
  ({ refresh_token }) => refresh_token,
  ofUser,
)

/** What a phone has reported about its uploads. */
export const phoneSyncs = table(
  'phone_syncs',
  () =>
    z.object({
      user_id: z.string(),
      provider: z.string(),
      /** By the SDK's name of the resource, the upload of its history. */
      stages: z.record(
        z.string(),
        z.object({
          from: instantMs(),
          until: instantMs(),
          started_at: instantMs(),
          ended_at: instantMs().nullable(),
        }),
      ),
      /** By the SDK's name of the resource, the uploads so far. */
      uploads: z.record(z.string(), z.object({ items: count(), last_at: instantMs() })).exactOptional(),
      /** The last report. */
      report: SyncProgress().nullable(),
      reported_at: instantMs().nullable(),
    }),
  ({ user_id, provider }) => `${user_id}/${provider}`,
  ofUser,
)
export type PhoneSync = RowOf<typeof phoneSyncs>
