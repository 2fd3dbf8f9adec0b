import * as z from 'zod'
import { instantMs, ofUser, type RowOf, table } from '../../storage/table.ts'
import type { FeedStep } from './steps.ts'

/** A period in which a connection follows a feed scenario. It stores the steps, so that a later change of the scenario does not change the past. */
const Chapter = () =>
  z.object({
    scenario: z.string(),
    began: instantMs(),
    /** When another scenario replaced it; null while it runs. */
    ended: instantMs().nullable(),
    /** Whether steps at its start also apply to the history before it. */
    whole: z.boolean(),
    steps: z.array(z.looseObject({ verb: z.string(), atMs: z.number() }) as z.ZodType<FeedStep>),
  })

export const feedId = (userId: string, provider: string): string => `${userId}/${provider}`

/** The feed scenarios of a connection; the last one is current. */
export const connectionFeeds = table(
  'connection_feeds',
  () => z.object({ user_id: z.string(), provider: z.string(), chapters: z.array(Chapter()) }),
  ({ user_id, provider }) => feedId(user_id, provider),
  ofUser,
)
export type ConnectionFeed = RowOf<typeof connectionFeeds>
export type Chapter = ConnectionFeed['chapters'][number]

export const WORLD = 'world'

/** The default feed scenario of a user or of the world. */
export const defaultFeeds = table(
  'default_feeds',
  () =>
    z.object({
      /** Null for the world. */
      user_id: z.string().nullable(),
      scenario: z.string(),
    }),
  ({ user_id }) => user_id ?? WORLD,
  { owner: 'user' },
)
export type DefaultFeed = RowOf<typeof defaultFeeds>

/** A feed scenario that was uploaded to this world. */
export const uploadedFeeds = table(
  'uploaded_feeds',
  () => z.object({ name: z.string(), source: z.string() }),
  ({ name }) => name,
)
