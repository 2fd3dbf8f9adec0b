import { OrderDelivery, orderDelivery } from '../../api/delivery.ts'
import type { LazySchema } from '../../api/schema.ts'
import { Fault, faults } from '../../faults/model.ts'
import { isObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { Appointment } from '../../resources/appointments/schema.ts'
import * as appointments from '../../resources/appointments/table.ts'
import { Device } from '../../resources/connections/schema.ts'
import * as connections from '../../resources/connections/table.ts'
import { DemographicsRow, demographics } from '../../resources/demographics/table.ts'
import * as etl from '../../resources/etl/table.ts'
import { InsuranceRow, insurances } from '../../resources/insurance/table.ts'
import { SentRow, sent } from '../../resources/introspection/table.ts'
import { LabAccountRow, labAccounts } from '../../resources/lab-accounts/table.ts'
import { LabTestRow, labTests } from '../../resources/lab-tests/table.ts'
import * as link from '../../resources/link/table.ts'
import { Order } from '../../resources/orders/schema.ts'
import { CommunicationRow, communications, orderMetadata, orders } from '../../resources/orders/table.ts'
import { PayorRow, payors } from '../../resources/payors/table.ts'
import { ParsingJobRow, parsingJobs } from '../../resources/report-parser/table.ts'
import * as sense from '../../resources/sense/table.ts'
import { StoredSummary, storedSummaries } from '../../resources/summaries/table.ts'
import * as team from '../../resources/team/table.ts'
import { StoredFeed, storedFeeds, storedSamples } from '../../resources/timeseries/table.ts'
import * as unmatched from '../../resources/unmatched-results/table.ts'
import { User } from '../../resources/users/schema.ts'
import * as users from '../../resources/users/table.ts'
import * as feeds from '../../scenarios/feeds/table.ts'
import * as scenarios from '../../scenarios/table.ts'
import { jobs } from '../../scheduler/job.ts'
import { pacingRow } from '../../scheduler/pacing.ts'
import type { Table } from '../../storage/table.ts'
import * as webhooks from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import { sequences } from '../../world/sequences.ts'
import * as rows from './rows.ts'

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
    check(jobs, rows.JobRow),
    check(events, rows.EventRow),
    check(sequences, rows.SequenceRow),
    check(pacingRow, rows.PacingRow),
    checkNamed('first_replies', 'id', rows.FirstReplyRow),
    checkNamed('dashboard_sessions', 'id', rows.DashboardSessionRow),
    check(webhooks.messages, webhooks.Message),
    check(webhooks.endpoints, webhooks.Endpoint),
    check(webhooks.bufferedMessages, webhooks.BufferedMessage),
    check(webhooks.deliveryFaults, webhooks.ScopedFaults),
    check(orderDelivery, OrderDelivery),
    check(faults, Fault),
    check(scenarios.orderScenarios, scenarios.OrderScenarioRow),
    check(scenarios.uploadedScenarios, scenarios.UploadedScenario),
    check(scenarios.userScenarios, scenarios.UserScenarioRow),
    check(feeds.uploadedFeeds, feeds.UploadedFeed),
    check(feeds.defaultFeeds, feeds.DefaultFeed),
    check(feeds.connectionFeeds, rows.ConnectionFeedRow),
    check(users.users, User),
    check(users.deletedUsers, users.DeletedUser),
    check(users.refreshes, users.Refreshes),
    check(users.portalPasses, users.PortalPass),
    check(team.priorities, team.PriorityRow),
    check(team.teamProfiles, team.TeamProfileRow),
    check(connections.connections, connections.ConnectionRow),
    check(connections.pullPreferences, connections.PullPreference),
    check(connections.devices, Device),
    check(link.linkTokens, rows.LinkTokenRow),
    check(link.recipes, link.RecipeRow),
    check(link.bulkOps, link.BulkOpRow),
    check(link.scopeRequirements, link.ScopeRequirement),
    check(link.providerCredentials, link.ProviderCredentials),
    check(sent, SentRow),
    check(storedFeeds, StoredFeed),
    check(storedSamples, rows.StoredSampleRow),
    check(storedSummaries, StoredSummary),
    check(sense.continuousQueries, sense.ContinuousQuery),
    checkNamed('continuous_query_scheduling', 'query_id', rows.QuerySchedulingRow),
    check(sense.resultTables, rows.ResultTableRow),
    check(sense.tasks, sense.Task),
    check(labTests, LabTestRow),
    check(labAccounts, LabAccountRow),
    check(orders, Order),
    check(orderMetadata, rows.OrderMetadataRow),
    check(communications, CommunicationRow),
    check(appointments.appointments, Appointment),
    check(appointments.bookings, appointments.Booking),
    check(appointments.takenSlots, appointments.TakenSlot),
    check(appointments.spentKeys, appointments.SpentKey),
    check(appointments.bookingOutcomes, appointments.BookingOutcome),
    check(demographics, DemographicsRow),
    check(insurances, InsuranceRow),
    check(payors, PayorRow),
    check(parsingJobs, ParsingJobRow),
    check(unmatched.unmatchedResults, unmatched.UnmatchedResultRow),
    check(unmatched.testRuns, unmatched.TestRunRow),
    check(etl.etlPipelines, etl.EtlPipeline),
    check(etl.etlTargets, etl.EtlTarget),
    check(etl.etlOutbox, etl.EtlOutboxRow),
    check(etl.ehrPipelines, etl.EhrPipeline),
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

const invalidRow = (path: readonly string[], message: string): Problem =>
  new Problem('invalid', [
    { type: 'value_error', loc: ['body', 'tables', ...path], msg: message, input: null },
  ])
