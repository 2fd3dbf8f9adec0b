import * as z from 'zod'
import { type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { FeedStep } from './steps.ts'

/** A period in which a connection follows a feed scenario. It stores the steps, so that a later change of the scenario does not change the past. */
export interface Chapter {
  readonly scenario: string
  /** Milliseconds since 1970. */
  readonly began: number
  /** When another scenario replaced it; null while it runs. */
  readonly ended: number | null
  /** Whether steps at its start also apply to the history before it. */
  readonly whole: boolean
  readonly steps: readonly FeedStep[]
}

/** The feed scenarios of a connection; the last one is current. */
export interface ConnectionFeed {
  readonly user_id: string
  readonly provider: string
  readonly chapters: readonly Chapter[]
}

export const feedId = (userId: string, provider: string): string => `${userId}/${provider}`

export const connectionFeeds = table<ConnectionFeed>('connection_feeds', ({ user_id, provider }) =>
  feedId(user_id, provider),
)

/** The default feed scenario of a user or of the world. */
export const DefaultFeed = unnamed(() =>
  z.object({
    /** Null for the world. */
    user_id: z.string().nullable(),
    scenario: z.string(),
  }),
)
export type DefaultFeed = Row<typeof DefaultFeed>

export const WORLD = 'world'

export const defaultFeeds = table<DefaultFeed>('default_feeds', ({ user_id }) => user_id ?? WORLD)

/** A feed scenario that was uploaded to this world. */
export const UploadedFeed = unnamed(() => z.object({ name: z.string(), source: z.string() }))

export const uploadedFeeds = table<Row<typeof UploadedFeed>>('uploaded_feeds', ({ name }) => name)
