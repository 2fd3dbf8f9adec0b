import { scenarioTimes } from './api/scenario-times.ts'
import { orderWebhookFaults } from './api/webhook-faults.ts'
import { faults } from './faults/model.ts'
import { firstReplies } from './http/idempotency.ts'
import { queryScheduling } from './management/continuous-queries.ts'
import { dashboardSessions } from './management/dashboard.ts'
import { resources } from './resources/index.ts'
import { connectionFeeds, defaultFeeds, uploadedFeeds } from './scenarios/feeds/table.ts'
import { orderScenarios, uploadedScenarios, userScenarios } from './scenarios/table.ts'
import { clockRow } from './scheduler/clock-row.ts'
import { jobs } from './scheduler/job.ts'
import { scenarioTimeRow } from './scheduler/scenario-time.ts'
import type { AnyTable } from './storage/table.ts'
import { bufferedMessages, endpoints, messages, webhookFaults } from './webhooks/table.ts'
import { events } from './world/events.ts'
import { sequences } from './world/sequences.ts'
import { settings } from './world/settings.ts'

/** All tables of a world: they are exported and imported, and indexed when a stored world is opened. */
export const worldTables: readonly AnyTable[] = [
  settings,
  clockRow,
  scenarioTimeRow,
  scenarioTimes,
  jobs,
  events,
  sequences,
  firstReplies,
  faults,
  orderWebhookFaults,
  endpoints,
  messages,
  bufferedMessages,
  webhookFaults,
  orderScenarios,
  uploadedScenarios,
  userScenarios,
  connectionFeeds,
  defaultFeeds,
  uploadedFeeds,
  queryScheduling,
  dashboardSessions,
  ...resources.flatMap(({ tables = [] }) => tables),
]
