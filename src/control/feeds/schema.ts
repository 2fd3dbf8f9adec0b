import * as z from 'zod'
import { oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { providerSlugs } from '../../resources/providers/schema.ts'
import { ScenarioRefusal } from '../scenarios/schema.ts'

export const FeedSummary = schema('FeedSummary', () =>
  z.object({
    name: z.string(),
    summary: z.string(),
    /** Whether it was uploaded to this world. */
    uploaded: z.boolean(),
  }),
)

export const FeedList = schema('FeedList', () => z.object({ data: z.array(FeedSummary()) }))

const FeedMoment = schema('FeedMoment', () =>
  z.object({
    /** Milliseconds since the scenario began. */
    at_ms: z.number(),
    does: z.string(),
  }),
)

export const FeedView = schema('FeedView', () =>
  FeedSummary().extend({ steps: z.array(FeedMoment()), source: z.string() }),
)

export const FeedCheck = schema('FeedCheck', () =>
  z.object({
    valid: z.boolean(),
    name: z.string().nullable(),
    summary: z.string().nullable(),
    steps: z.array(FeedMoment()),
    refusals: z.array(ScenarioRefusal()),
  }),
)

export const FeedPath = unnamed(() => z.object({ name: text() }))

export const FeedInput = schema('FeedInput', () => z.strictObject({ scenario: text().nullable() }))
export const ConnectionFeedInput = schema('ConnectionFeedInput', () => z.strictObject({ scenario: text() }))

export const UsualFeed = schema('UsualFeed', () => z.object({ scenario: z.string().nullable() }))
export const UserFeed = schema('UserFeed', () =>
  z.object({ user_id: z.uuid(), scenario: z.string().nullable() }),
)

export const ConnectionFeedPath = unnamed(() => z.object({ user_id: uuid(), provider: oneOf(providerSlugs) }))

const FeedMark = schema('FeedMark', () =>
  z.object({
    does: z.enum(['held_back', 'changed', 'doubled']),
    /** Null for all series. */
    series: z.array(z.string()).nullable(),
    /** Null where it has no beginning, or no end. */
    from: z.string().nullable(),
    until: z.string().nullable(),
    /** When the data come, or become right; null for never. */
    settled_at: z.string().nullable(),
  }),
)

export const ConnectionFeedView = schema('ConnectionFeedView', () =>
  z.object({
    user_id: z.uuid(),
    provider: z.string(),
    scenario: z.string(),
    began_at: z.string().nullable(),
    /** The next step and its time. */
    next: z.string().nullable(),
    next_at: z.string().nullable(),
    /** The previous scenarios, oldest first. */
    /** The periods so far in which its scenarios held back, changed or doubled data. */
    marks: z.array(FeedMark()),
    before: z.array(z.object({ scenario: z.string(), began_at: z.string(), ended_at: z.string() })),
  }),
)
