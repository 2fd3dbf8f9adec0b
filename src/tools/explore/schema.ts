import * as z from 'zod'
import { integer, oneOf, text } from '../../api/fields.ts'
import { nullableText, type Parsed, schema } from '../../api/schema.ts'
import type { ExplorePart } from '../../client/explore.ts'
import { receiverUrl } from '../../webhooks/fields.ts'
import { partNames } from './parts.ts'

const Parts = () => z.array(oneOf(partNames as readonly [ExplorePart, ...ExplorePart[]])).optional()

/** The program under test. */
const programFields = () => ({
  webhook: receiverUrl().describe('The URL of the program that Petri sends its webhooks to.'),
  check: receiverUrl()
    .optional()
    .describe('The URL where the program shows an order as JSON, with {order_id} or {user_id}.'),
  at: text().optional().describe('Where the status is in it, such as order.status.'),
  map: z
    .record(z.string(), z.string())
    .optional()
    .describe("The program's words for statuses, such as completed: done."),
})

export const ExplorationInput = schema('PetriExplorationInput', () =>
  z.strictObject({
    ...programFields(),
    runs: integer({ ge: 1, le: 10_000 }).default(100).describe('The number of histories.'),
    seed: integer({ ge: 0, le: 999_999_999 }).default(1),
    only: Parts().describe('The parts that histories consist of; all by default.'),
    without: Parts(),
    max_findings: integer({ ge: 1, le: 20 }).default(3).describe('Ends after this number of findings.'),
  }),
)
export type ExplorationInput = Parsed<typeof ExplorationInput>

export const ReplayInput = schema('PetriReplayInput', () =>
  z.strictObject({ ...programFields(), scenario: text().describe('The scenario file of a finding.') }),
)
export type ReplayInput = Parsed<typeof ReplayInput>

export const FindingView = schema('PetriFinding', () =>
  z.object({
    /** Of its scenario. */
    name: z.string(),
    problem: z.string(),
    /** Which check found it. */
    oracle: z.string(),
    /** What happened, in at most ten lines. */
    story: z.array(z.string()),
    webhooks: z.array(
      z.object({
        /** Since the history began. */
        after: z.string(),
        event_type: z.string(),
        /** The low-level status in its body; empty without one. */
        status: z.string(),
        /** What was unusual about the delivery. */
        marks: z.array(z.string()),
        /** The status that the program answered; null without an answer. */
        answer: z.int().nullable(),
      }),
    ),
    /** The scenario file. */
    scenario: z.string(),
    /** A test for vitest that plays it. */
    test: z.string(),
    /** What its history adds to the happy path. */
    anomalies: z.array(z.string()),
    /** The number of the history that found it. */
    run: z.int(),
    /** How many more histories went wrong in the same way. */
    again: z.int(),
  }),
)
export type FindingView = Parsed<typeof FindingView>

export const ExplorationView = schema('PetriExploration', () =>
  z.object({
    id: z.string(),
    state: z.enum(['running', 'done', 'stopped', 'failed']),
    /** Why it failed, or ended early. */
    detail: nullableText(),
    ...programFields(),
    /** The key of the world in which it plays; the program calls the service with it. */
    api_key: z.string(),
    seed: z.int(),
    /** Histories so far, and of how many. */
    runs: z.int(),
    of: z.int(),
    /** Histories played, those that make a finding smaller included. */
    plays: z.int(),
    per_second: z.number(),
    coverage: z.object({
      /** Edges of the lifecycles. */
      edges: z.object({
        covered: z.int(),
        of: z.int(),
        never: z.array(z.string()),
        /** How often orders came along each. */
        met: z.record(z.string(), z.int()),
      }),
      /** By event type, how often it was sent. */
      events: z.record(z.string(), z.int()),
      /** By anomaly and event type. */
      pairs: z.record(z.string(), z.int()),
    }),
    findings: z.array(FindingView()),
  }),
)
export type ExplorationView = Parsed<typeof ExplorationView>

export const ExplorationList = schema('PetriExplorations', () =>
  z.object({ data: z.array(ExplorationView()) }),
)

export const ReplayView = schema('PetriReplay', () => z.object({ finding: FindingView().nullable() }))
export type ReplayView = Parsed<typeof ReplayView>
