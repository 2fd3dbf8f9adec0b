import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { instant, schema } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { revokeSessions } from '../resources/mobile/service.ts'
import { mobileSessions, phoneSyncs } from '../resources/mobile/table.ts'
import { UserPath } from '../resources/users/schema.ts'
import { getUser } from '../resources/users/service.ts'

const MobileState = schema('MobileState', () =>
  z.object({
    /** Apps that are signed in. */
    sessions: z.int(),
    syncs: z.array(
      z.object({
        provider: z.string(),
        stages: z.array(
          z.object({
            resource: z.string(),
            range_start: instant(),
            range_end: instant(),
            started_at: instant(),
            ended_at: instant().nullable(),
          }),
        ),
        report: z.record(z.string(), z.unknown()).nullable(),
        reported_at: instant().nullable(),
      }),
    ),
  }),
)

export const mobileOperations = [
  operation({
    id: 'petri_user_mobile',
    route: 'GET /_petri/users/{user_id}/mobile',
    summary: "Show a user's mobile apps: sign-ins, and the uploads that their SDKs have reported",
    tool: { name: 'get_mobile_state' },
    params: UserPath,
    returns: MobileState,
    run(world, { params: { user_id } }) {
      getUser(world, user_id)
      const sessions = world.db.by(mobileSessions, 'user', user_id).filter(({ revoked }) => !revoked)
      const syncs = world.db.by(phoneSyncs, 'user', user_id).map((sync) => ({
        provider: sync.provider,
        stages: Object.entries(sync.stages).map(([resource, stage]) => ({
          resource,
          range_start: toWire(stage.from),
          range_end: toWire(stage.until),
          started_at: toWire(stage.started_at),
          ended_at: stage.ended_at === null ? null : toWire(stage.ended_at),
        })),
        report: sync.report,
        reported_at: sync.reported_at === null ? null : toWire(sync.reported_at),
      }))
      return { sessions: sessions.length, syncs }
    },
  }),
  operation({
    id: 'petri_user_mobile_sessions_revoke',
    route: 'DELETE /_petri/users/{user_id}/mobile_sessions',
    summary: "Revoke the refresh tokens of a user's mobile apps, which must then sign in again",
    tool: { name: 'revoke_mobile_sessions' },
    params: UserPath,
    returns: schema('MobileSessionsRevoked', () => z.object({ revoked: z.int() })),
    run: (world, { params: { user_id } }) => ({ revoked: revokeSessions(world, user_id) }),
  }),
]
