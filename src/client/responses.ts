/**
 * Responses of the control API, and of the service where the testing kit returns them, inferred from their
 * operations. `scripts/published-types.mjs` writes them for the package, which contains neither the schemas nor zod.
 */

import type { Parsed } from '../api/schema.ts'
import type * as agenda from '../control/agenda.ts'
import type * as payments from '../control/checkout.ts'
import type * as clock from '../control/clock.ts'
import type * as coverage from '../control/coverage.ts'
import type * as faults from '../control/faults.ts'
import type * as lifecycle from '../control/lifecycle.ts'
import type * as board from '../control/orders/board.ts'
import type * as details from '../control/orders/details.ts'
import type * as placing from '../control/orders/place.ts'
import type * as results from '../control/orders/results.ts'
import type * as refusedCalls from '../control/refused-calls.ts'
import type * as requests from '../control/requests.ts'
import type * as scenarioFiles from '../control/scenario-files.ts'
import type * as scenarios from '../control/scenarios.ts'
import type * as snapshots from '../control/snapshots.ts'
import type * as trigger from '../control/trigger/schema.ts'
import type * as data from '../control/user-data.ts'
import type * as webhooks from '../control/webhooks/schema.ts'
import type * as worlds from '../control/worlds.ts'
import type * as appointments from '../resources/appointments/schema.ts'
import type * as checkout from '../resources/checkout/schema.ts'
import type * as labTests from '../resources/lab-tests/schema.ts'
import type * as orders from '../resources/orders/schema.ts'
import type * as users from '../resources/users/schema.ts'

/** The clock of a world. */
export type Clock = Parsed<typeof clock.Clock>
export type Advanced = Parsed<typeof clock.Advanced>
/** Something that happened during an advance; its kind is such as `order`, `event` or `delivery`. */
export type Effect = Advanced['effects'][number]

export type World = Parsed<typeof worlds.WorldView>
export type Features = World['features']

export type User = Parsed<typeof users.User>

export type LabTest = Parsed<typeof labTests.LabTest>

/** An order as the service shows it. */
export type Order = Parsed<typeof orders.Order>
/** An order that the control API has placed. */
export type PlacedOrder = Parsed<typeof placing.PlacedOrder>
/** The status is dotted, such as `collecting_sample.testkit.transit_customer`. */
export type OrderEvent = Order['last_event']

/** The appointment of an order as the service shows it. */
export type Appointment = Parsed<typeof appointments.Appointment>

export type CheckoutSession = Parsed<typeof checkout.Session>
export type CheckoutSessions = Parsed<typeof payments.CheckoutSessions>

/** The progress of an order in its scenario. */
export type OrderScenario = Parsed<typeof scenarios.OrderScenario>
/** A scenario of any kind. */
export type Scenario = Parsed<typeof scenarioFiles.ScenarioSummary>
export type ScenarioInFull = Parsed<typeof scenarioFiles.ScenarioView>
/** The result of checking a scenario. */
export type ScenarioCheck = Parsed<typeof scenarioFiles.ScenarioCheck>

/** An order on the board. */
export type BoardRow = Board['data'][number]
export type Board = Parsed<typeof board.Board>

export type AgendaItem = Parsed<typeof agenda.AgendaItem>
export type Agenda = Parsed<typeof agenda.AgendaList>

/** A status an order will get unless something intervenes. */
export type PlannedStatus = OrderLife['planned'][number]
export type OrderLife = Parsed<typeof details.OrderDetails>

/** Whether exact results were reported at once. */
export type ResultsSet = Parsed<typeof results.ResultsPut>

export type Workflow = Lifecycle['workflows'][number]
export type Lifecycle = Parsed<typeof lifecycle.Lifecycle>

export type Endpoint = Parsed<typeof webhooks.WebhookEndpoint>
/** One attempt to deliver a message; the status is null if there was no response. */
export type Attempt = Message['attempts'][number]
/** An event for one endpoint; use `svix_id` to detect duplicates. */
export type Message = Parsed<typeof webhooks.WebhookMessage>
export type WebhookFaults = Parsed<typeof webhooks.WebhookFaults>

export type Fault = Parsed<typeof faults.Faults>['faults'][number]

/** A recorded call of a client. */
export type Call = Parsed<typeof requests.RequestSummary>
/** A call without a valid API key. */
export type RefusedCall = Parsed<typeof refusedCalls.RefusedCall>
export type CallInFull = Parsed<typeof requests.RequestView>

export type UserDataKept = Parsed<typeof data.UserDataKept>
export type Snapshot = Parsed<typeof snapshots.Snapshot>

/** The result of a triggered event. */
export type Triggered = Parsed<typeof trigger.Triggered>

/** What a world's clients have used and seen since it was opened, and what they have not. */
export type Coverage = Parsed<typeof coverage.Coverage>
