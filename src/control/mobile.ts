import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { anyObject, instant, type Parsed, schema } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { connections } from '../resources/connections/table.ts'
import { revokeSessions } from '../resources/mobile/service.ts'
import { syncOf, syncStatus } from '../resources/mobile/sync.ts'
import { mobileSessions, phoneSyncs } from '../resources/mobile/table.ts'
import { getUser } from '../resources/users/service.ts'
import type { UserRow } from '../resources/users/table.ts'
import type { World } from '../world/world.ts'

export const MobileState = schema('MobileState', () => ({
  /** Apps that are signed in. */
  sessions: z.int(),
  syncs: z.array(
    z.object({
      provider: z.string(),
      /** What the SDK is told at its next sync. */
      status: z.enum(['active', 'paused', 'error']),
      uploads: z.array(
        z.object({
          resource: z.string(),
          /** The number of items, those that were sent again included. */
          items: z.int(),
          last_at: instant(),
        }),
      ),
      stages: z.array(
        z.object({
          resource: z.string(),
          range_start: instant(),
          range_end: instant(),
          started_at: instant(),
          ended_at: instant().nullable(),
        }),
      ),
      report: anyObject().nullable(),
      reported_at: instant().nullable(),
    }),
  ),
}))

export const mobileOperations = [
  operation({
    id: 'petri_user_mobile',
    route: 'GET /_petri/users/{user_id}/mobile',
    summary: "Show a user's mobile apps: sign-ins, and the uploads that their SDKs have reported",
    tool: { name: 'get_mobile_state' },
    returns: MobileState,
    run(world, { params: { user_id } }) {
      const user = getUser(world, user_id)
      const sessions = world.db.by(mobileSessions, 'user', user_id).filter(({ revoked }) => !revoked)
      const syncs = providersOf(world, user_id).map((provider) => describeSync(world, user, provider))
      return { sessions: sessions.length, syncs }
    },
  }),
  operation({
    id: 'petri_user_mobile_sessions_revoke',
    route: 'DELETE /_petri/users/{user_id}/mobile_sessions',
    summary: "Revoke the refresh tokens of a user's mobile apps, which must then sign in again",
    tool: { name: 'revoke_mobile_sessions' },
    returns: schema('MobileSessionsRevoked', () => ({ revoked: z.int() })),
    run: (world, { params: { user_id } }) => ({ revoked: revokeSessions(world, user_id) }),
  }),
]

/** The providers whose data a phone uploads, or has reported about. */
const providersOf = ({ db }: World, userId: string): string[] => [
  ...new Set([
    ...db
      .by(connections, 'user', userId)
      .filter(({ uploads }) => uploads)
      .map(({ provider }) => provider),
    ...db.by(phoneSyncs, 'user', userId).map(({ provider }) => provider),
  ]),
]

function describeSync(
  world: World,
  user: UserRow,
  provider: string,
): Parsed<typeof MobileState>['syncs'][number] {
  const { uploads = {}, stages, report, reported_at } = syncOf(world, user.user_id, provider)
  return {
    provider,
    status: syncStatus(world, user, provider),
    uploads: Object.entries(uploads).map(([resource, { items, last_at }]) => ({
      resource,
      items,
      last_at: toWire(last_at),
    })),
    stages: Object.entries(stages).map(([resource, stage]) => ({
      resource,
      range_start: toWire(stage.from),
      range_end: toWire(stage.until),
      started_at: toWire(stage.started_at),
      ended_at: stage.ended_at === null ? null : toWire(stage.ended_at),
    })),
    report,
    reported_at: reported_at === null ? null : toWire(reported_at),
  }
}
