import { orderDelivery } from '../../api/delivery.ts'
import type { LazySchema } from '../../api/schema.ts'
import { faults } from '../../faults/model.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { Appointment } from '../../resources/appointments/schema.ts'
import {
  appointments,
  bookingOutcomes,
  bookings,
  spentKeys,
  takenSlots,
} from '../../resources/appointments/table.ts'
import { Device } from '../../resources/connections/schema.ts'
import { connections, devices, pullPreferences } from '../../resources/connections/table.ts'
import { demographics } from '../../resources/demographics/table.ts'
import { ehrPipelines, etlOutbox, etlPipelines, etlTargets } from '../../resources/etl/table.ts'
import { insurances } from '../../resources/insurance/table.ts'
import { sent } from '../../resources/introspection/table.ts'
import { labAccounts } from '../../resources/lab-accounts/table.ts'
import { labTests } from '../../resources/lab-tests/table.ts'
import {
  bulkOps,
  linkTokens,
  providerCredentials,
  recipes,
  scopeRequirements,
} from '../../resources/link/table.ts'
import { Order } from '../../resources/orders/schema.ts'
import { communications, orderMetadata, orders } from '../../resources/orders/table.ts'
import { payors } from '../../resources/payors/table.ts'
import { parsingJobs } from '../../resources/report-parser/table.ts'
import { continuousQueries, resultTables, tasks } from '../../resources/sense/table.ts'
import { storedSummaries } from '../../resources/summaries/stored.ts'
import { priorities, teamProfiles } from '../../resources/team/table.ts'
import { storedFeeds, storedSamples } from '../../resources/timeseries/stored.ts'
import { testRuns, unmatchedResults } from '../../resources/unmatched-results/table.ts'
import { User } from '../../resources/users/schema.ts'
import { deletedUsers, portalPasses, refreshes, users } from '../../resources/users/table.ts'
import { connectionFeeds, defaultFeeds, uploadedFeeds } from '../../scenarios/feeds/table.ts'
import { orderScenarios, uploadedScenarios, userScenarios } from '../../scenarios/table.ts'
import { jobs } from '../../scheduler/job.ts'
import { pacingRow } from '../../scheduler/pacing.ts'
import type { Table } from '../../storage/table.ts'
import { bufferedMessages } from '../../webhooks/buffer.ts'
import { deliveryFaults } from '../../webhooks/delivery-faults.ts'
import { endpoints, messages } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import { sequences } from '../../world/sequences.ts'
import * as etl from './rows-of-etl.ts'
import * as labs from './rows-of-labs.ts'
import * as wearables from './rows-of-wearables.ts'
import * as world from './rows-of-world.ts'

interface RowCheck {
  readonly name: string
  readonly idOf: (row: never) => string
  readonly schema: LazySchema
}

const check = <Row extends object>(
  { name, idOf }: Pick<Table<Row, string>, 'name' | 'idOf'>,
  schema: LazySchema,
): RowCheck => ({ name, idOf, schema })

/** The check of a table that this layer must not import, by its name and id field. */
const checkNamed = (name: string, id: string, schema: LazySchema) =>
  check({ name, idOf: (row: Record<string, string>) => row[id] ?? '' }, schema)

/** One entry for each table of a world, except those that an import creates. */
const checks: ReadonlyMap<string, RowCheck> = new Map(
  [
    check(jobs, world.JobRow),
    check(events, world.EventRow),
    check(sequences, world.SequenceRow),
    check(pacingRow, world.PacingRow),
    checkNamed('first_answers', 'id', world.FirstReplyRow),
    checkNamed('dashboard_sessions', 'id', world.DashboardSessionRow),
    check(messages, world.MessageRow),
    check(endpoints, world.EndpointRow),
    check(bufferedMessages, world.BufferedMessageRow),
    check(deliveryFaults, world.DeliveryRow),
    check(orderDelivery, world.OrderDeliveryRow),
    check(faults, world.FaultRow),
    check(orderScenarios, world.OrderScenarioRow),
    check(uploadedScenarios, world.UploadedScenarioRow),
    check(userScenarios, world.UserScenarioRow),
    check(uploadedFeeds, world.UploadedFeedRow),
    check(defaultFeeds, world.UsualFeedRow),
    check(users, User),
    check(deletedUsers, wearables.DeletedUserRow),
    check(refreshes, wearables.RefreshesRow),
    check(portalPasses, wearables.PortalPassRow),
    check(priorities, wearables.PriorityRow),
    check(teamProfiles, wearables.TeamProfileRow),
    check(connections, wearables.ConnectionRow),
    check(pullPreferences, wearables.PullPreferenceRow),
    check(devices, Device),
    check(linkTokens, wearables.LinkTokenRow),
    check(recipes, wearables.RecipeRow),
    check(bulkOps, wearables.BulkOpRow),
    check(scopeRequirements, wearables.ScopeRequirementRow),
    check(providerCredentials, wearables.ProviderCredentialsRow),
    check(connectionFeeds, wearables.ConnectionFeedRow),
    check(sent, wearables.SentRow),
    check(storedFeeds, wearables.StoredFeedRow),
    check(storedSamples, wearables.StoredSampleRow),
    check(storedSummaries, wearables.StoredSummaryRow),
    check(continuousQueries, wearables.ContinuousQueryRow),
    checkNamed('continuous_query_scheduling', 'query_id', wearables.QuerySchedulingRow),
    check(resultTables, wearables.ResultTableRow),
    check(tasks, wearables.TaskRow),
    check(labTests, labs.LabTestRow),
    check(labAccounts, labs.LabAccountRow),
    check(orders, Order),
    check(orderMetadata, labs.OrderMetadataRow),
    check(communications, labs.CommunicationRow),
    check(appointments, Appointment),
    check(bookings, labs.BookingRow),
    check(takenSlots, labs.TakenSlotRow),
    check(spentKeys, labs.SpentKeyRow),
    check(bookingOutcomes, labs.BookingFateRow),
    check(demographics, labs.DemographicsRow),
    check(insurances, labs.InsuranceRow),
    check(payors, labs.PayorRow),
    check(parsingJobs, labs.ParsingJobRow),
    check(unmatchedResults, labs.UnmatchedResultRow),
    check(testRuns, labs.TestRunRow),
    check(etlPipelines, etl.EtlPipelineRow),
    check(etlTargets, etl.EtlTargetRow),
    check(etlOutbox, etl.EtlOutboxRow),
    check(ehrPipelines, etl.EhrPipelineRow),
  ].map((each) => [each.name, each]),
)

/** Throws for an unknown table. */
export function assertTable(table: string, rows: unknown): asserts rows is Readonly<Record<string, unknown>> {
  if (!checks.has(table))
    throw invalidRow([table], `There is no table "${table}".${didYouMean(table, [...checks.keys()])}`)
  if (!isObject(rows)) throw invalidRow([table], notAnObject)
}

/** Throws for a row that is not valid in its table. */
export function assertRow(table: string, id: string, row: unknown): void {
  const found = checks.get(table)
  if (!found) return
  if (!isObject(row)) throw invalidRow([table, id], notAnObject)
  const { error } = found.schema().safeParse(row)
  const [issue] = error?.issues ?? []
  if (issue) throw invalidRow([table, id, ...issue.path.map(String)], issue.message)
  if (found.idOf(row as never) !== id) throw invalidRow([table, id], 'The row has another id')
}

const notAnObject = 'Input should be a valid dictionary'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalidRow = (path: readonly string[], message: string): Problem =>
  new Problem('invalid', [
    { type: 'value_error', loc: ['body', 'tables', ...path], msg: message, input: null },
  ])
