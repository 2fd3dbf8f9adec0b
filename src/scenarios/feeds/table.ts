import { table } from '../../storage/table.ts'
import type { FeedStep } from './steps.ts'

/** What a connection goes through from one instant to another. It holds the steps themselves, so that a scenario that is altered leaves the past as it was. */
export interface Chapter {
  /** The scenario's name. `story` is the field's name in stored data. */
  readonly story: string
  /** Milliseconds since 1970. */
  readonly began: number
  /** When another scenario took its place; null while it goes on. */
  readonly ended: number | null
  /** Whether what holds from its beginning holds for the history before it, too. */
  readonly whole: boolean
  readonly steps: readonly FeedStep[]
}

/** The scenarios a connection has followed, the last one being its own now. */
export interface ConnectionFeed {
  readonly user_id: string
  readonly provider: string
  readonly chapters: readonly Chapter[]
}

export const feedId = (userId: string, provider: string): string => `${userId}/${provider}`

export const connectionFeeds = table<ConnectionFeed>('connection_feeds', ({ user_id, provider }) =>
  feedId(user_id, provider),
)

/** The scenario new connections follow: of one user, or of all. */
export interface UsualFeed {
  /** Whose; null for the world's. */
  readonly user_id: string | null
  /** The scenario's name. `story` is the field's name in stored data. */
  readonly story: string
}

export const WORLD = 'world'

export const usualFeeds = table<UsualFeed>('usual_feeds', ({ user_id }) => user_id ?? WORLD)

/** A feed scenario that was given to this world alone. */
export interface UploadedFeed {
  readonly name: string
  readonly source: string
}

export const uploadedFeeds = table<UploadedFeed>('feed_stories', ({ name }) => name)
