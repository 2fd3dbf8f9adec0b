import type { OrderStatus, ScenarioName } from '../../clients/typescript/names.ts'
import type {
  AdvanceInput,
  CallFilter,
  EndpointOptions,
  ExactResults,
  FaultInput,
  LabTestInput,
  MessageFilter,
  OrderFilter,
  OrderInput,
  OrderMove,
  ResendInput,
  TriggerInput,
  UserData,
  UserInput,
  WaitOptions,
  WebhookFaultsInput,
} from './inputs.ts'
import type {
  Advanced,
  Agenda,
  Board,
  Call,
  CallInFull,
  Clock,
  Coverage,
  Endpoint,
  Fault,
  Features,
  LabTest,
  Lifecycle,
  Message,
  Order,
  OrderLife,
  OrderScenario,
  ResultsSet,
  Scenario,
  ScenarioInFull,
  Snapshot,
  Triggered,
  User,
  UserDataKept,
  WebhookFaults,
  World,
} from './responses.ts'

/** Receives webhooks in this process. Petri gets the returned response; undefined means 204. */
export type Receiver = (
  request: Request,
) => Response | undefined | Promise<Response | undefined> | Promise<void> | void

/** Options of a new world. */
export interface WorldOptions {
  readonly name?: string | undefined
  readonly seed?: string | undefined
  /** Whether the clock is frozen; true by default. */
  readonly frozen?: boolean | undefined
  /** The initial time; a text is ISO 8601. */
  readonly now?: string | Date | undefined
  /** How fast scenarios run in a live world; 8640 by default: a day of a scenario takes 10 s. */
  readonly pace?: number | undefined
  /** The default scenario of orders. */
  readonly scenario?: ScenarioName | undefined
  /** The team of the live service whose scenario, pace and features it has where none are set. */
  readonly like?: 'sandbox' | 'production' | null | undefined
  /** How much history new connections to wearables pull; that of their provider by default. Less makes tests faster. */
  readonly history?: 'full' | '3d' | 'none' | undefined
  /** A URL or a function that receives the webhooks. */
  readonly webhookUrl?: string | Receiver | undefined
}

/** A sandbox with its own data, clock and webhooks. Methods throw a `PetriRefusal` if Petri answers with an error. */
export interface PetriWorld {
  /** Its URL. A Petri in this process that was started without a port listens when it is first read, and throws if it cannot. */
  readonly url: string
  readonly apiKey: string
  readonly webhookSecret: string
  readonly teamId: string
  /** The options with which the official client calls this world: `new VitalClient(world.client())`. */
  client(): { readonly apiKey: string; readonly environment: string }
  /** `fetch` that adds the API key if there is none and accepts a path as URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Calls an operation with a JSON body, and returns the JSON of the response. */
  call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Body>
  readonly clock: ClockKit
  /** A patient and an address that the service accepts, for orders that the test places. */
  readonly fixtures: Fixtures
  readonly users: UsersKit
  readonly labTests: LabTestsKit
  readonly orders: OrdersKit
  readonly scenarios: ScenariosKit
  readonly webhooks: WebhooksKit
  readonly requests: RequestsKit
  readonly faults: FaultsKit
  readonly snapshots: SnapshotsKit
  readonly state: StateKit
  /** Sends an event of the catalogue about an object. */
  trigger(event: TriggerInput): Promise<Triggered>
  /** The operations, statuses, event types and errors that clients of this world have used or seen, and the others. */
  coverage(): Promise<Coverage>
  /** The pending jobs, the earliest first; only those of an order, message or user if its id is given. */
  agenda(subject?: string): Promise<Agenda>
  /** The statuses of an order by workflow, and where each leads. */
  lifecycle(): Promise<Lifecycle>
  /** The current settings, clock and counts. */
  describe(): Promise<World>
  /** Sets the default scenario and features, or those of a team of the live service; null restores a default. */
  set(settings: {
    readonly scenario?: ScenarioName | undefined
    readonly like?: 'sandbox' | 'production' | null | undefined
    readonly features?:
      | (Partial<Record<keyof Features, Setting>> & Readonly<Record<string, Setting>>)
      | undefined
  }): Promise<World>
  /**
   * Restores the initial state of the world, or of another seed; endpoints added since are removed. A live world gets new ids
   * unless `new_ids` is false.
   */
  reset(options?: {
    readonly seed?: string
    readonly new_ids?: boolean
    readonly keep_endpoints?: boolean
  }): Promise<void>
  /** What was asked, ordered and delivered, a line each, in the order in which it happened. */
  journal(): Promise<string>
  /**
   * Deletes the world, or stops or disconnects a Petri that was started or connected. Throws what a function that receives webhooks
   * has thrown.
   */
  close(): Promise<void>
}

/** The value of a feature; null restores its default. */
type Setting = boolean | string | null | undefined

export interface RunningPetri extends PetriWorld {
  /** Creates another world with its own key in milliseconds. */
  world(options?: WorldOptions): Promise<PetriWorld>
}

export interface PatientFixture {
  readonly first_name: string
  readonly last_name: string
  readonly dob: string
  readonly gender: 'female' | 'male'
  readonly phone_number: string
  readonly email: string
}

export interface AddressFixture {
  readonly receiver_name: string
  readonly first_line: string
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly phone_number: string
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name
export type InCamelCase<Fields> = { readonly [Name in keyof Fields & string as Camel<Name>]: Fields[Name] }

/** Each takes the fields that should differ, such as `{ zip: '00112' }`. */
export interface Fixtures {
  patient(fields?: Partial<PatientFixture>): PatientFixture
  address(fields?: Partial<AddressFixture>): AddressFixture
  /** The same as the official client spells them, such as `firstName`. */
  readonly camelCase: {
    patient(fields?: Partial<InCamelCase<PatientFixture>>): InCamelCase<PatientFixture>
    address(fields?: Partial<InCamelCase<AddressFixture>>): InCamelCase<AddressFixture>
  }
}

export interface ClockKit {
  get(): Promise<Clock>
  now(): Promise<Date>
  /** Advances the clock and runs everything that becomes due. When it returns, every delivery has been attempted. */
  advance(by: AdvanceInput): Promise<Advanced>
  /** Runs what is due now, webhooks included, without moving the clock. */
  settle(): Promise<Advanced>
  freeze(): Promise<Clock>
  run(): Promise<Clock>
  setPace(pace: number): Promise<Clock>
}

export interface UsersKit {
  /** Creates a user with this client user id, or with these fields. */
  create(user?: string | UserInput): Promise<User>
  get(userId: string): Promise<User>
  /** Sets the scenario of the user's orders; null for the world's. */
  setScenario(userId: string, scenario: ScenarioName | null): Promise<void>
  /** Assigns a feed scenario to the connection of the user to a provider. */
  setFeed(userId: string, provider: string, scenario: string): Promise<void>
  /** Adds samples of a timeseries or a summary, with their events. */
  addData(userId: string, data: UserData): Promise<UserDataKept>
}

export interface LabTestsKit {
  create(labTest: LabTestInput): Promise<LabTest>
}

export interface OrdersKit {
  /** Places an order. What is left out is made up; the patient is the person behind the user's data. */
  place(input?: OrderInput): Promise<Order>
  get(orderId: string): Promise<Order>
  /** Sets the status; the order leaves its scenario. */
  move(orderId: string, step: OrderStatus | OrderMove): Promise<Order>
  /** Sets exact results: they come with the next report, or at once as a correction of a completed order. */
  setResults(orderId: string, results: ExactResults): Promise<ResultsSet>
  /** A short row for each order, newest first, with its next status. */
  list(filter?: OrderFilter): Promise<Board>
  /** The state of an order: legal moves, the planned statuses and their times, and what it caused. */
  life(orderId: string): Promise<OrderLife>
  /** Returns the progress of its scenario. */
  scenario(orderId: string): Promise<OrderScenario>
  /** Assigns another scenario, which continues from the current status. */
  setScenario(
    orderId: string,
    scenario: ScenarioName,
    options?: { readonly from?: string },
  ): Promise<OrderScenario>
  /**
   * Advances the clock until it has reached a status, low-level or dotted. Throws if nothing that is pending reaches it, such as
   * when the kit waits for its registration.
   */
  reach(orderId: string, status: OrderStatus): Promise<Order>
  /**
   * Waits until it has a status, low-level or dotted. Throws at once in a frozen world, unless a timeout is given; with
   * `advance` it does as `reach`.
   */
  wait(
    orderId: string,
    status: OrderStatus,
    options?: WaitOptions & { readonly advance?: boolean | undefined },
  ): Promise<Order>
}

export interface ScenariosKit {
  /** All scenarios: of orders, of feeds, and personas. */
  list(filter?: { readonly kind?: Scenario['kind'] }): Promise<readonly Scenario[]>
  get(name: string): Promise<ScenarioInFull>
  /** Adds a scenario of an order to this world, as YAML or as an object; with `kind: feed`, one of a feed. */
  add(name: string, scenario: string | Readonly<Record<string, unknown>>): Promise<ScenarioInFull>
  remove(name: string): Promise<void>
}

export interface WebhooksKit {
  /** Sends webhooks to a URL or to a function, signed with the world's secret. */
  deliverTo(
    target: string | Receiver,
    options?: EndpointOptions & {
      /** How many of the last events before it are sent to it. */
      readonly resend?: number | undefined
    },
  ): Promise<Endpoint>
  readonly endpoints: {
    list(): Promise<readonly Endpoint[]>
    change(endpointId: string, change: EndpointOptions & { readonly url?: string }): Promise<Endpoint>
    remove(endpointId: string): Promise<void>
    /** Creates a new secret; for one day of the world's time the old one also signs. */
    rotateSecret(endpointId: string, secret?: string): Promise<Endpoint>
  }
  /** All messages, sent or pending, oldest first, with their attempts. */
  messages(filter?: MessageFilter & { readonly endpoint_id?: string }): Promise<readonly Message[]>
  message(messageId: string): Promise<Message>
  /** Waits until a matching message is delivered, or has the given status. */
  wait(filter?: MessageFilter, options?: WaitOptions): Promise<readonly Message[]>
  /** Sends again now what was given up or waits for its next attempt, or one message; returns how many. */
  resend(which?: ResendInput): Promise<number>
  /** Deliver webhooks twice, late, out of order or with a wrong signature. */
  readonly faults: {
    get(): Promise<WebhookFaults>
    /** Replaces all webhook faults of the world, or of one endpoint. */
    set(rules: WebhookFaultsInput): Promise<WebhookFaults>
    clear(): Promise<void>
  }
}

export interface RequestsKit {
  /** The last calls of clients, oldest first, without calls of the control API. */
  list(filter?: CallFilter & { readonly method?: string; readonly path?: string }): Promise<readonly Call[]>
  /** One call by its `x-request-id`: request, response, ignored fields, and what it caused. */
  get(requestId: string): Promise<CallInFull>
  /** Waits until a matching call arrives. */
  wait(filter: CallFilter & { readonly operation: string }, options?: WaitOptions): Promise<readonly Call[]>
  clear(): Promise<void>
}

export interface FaultsKit {
  list(): Promise<readonly Fault[]>
  /** Replaces all faults. */
  set(...faults: readonly FaultInput[]): Promise<readonly Fault[]>
  clear(): Promise<void>
}

export interface SnapshotsKit {
  list(): Promise<readonly Snapshot[]>
  save(name: string): Promise<void>
  restore(name: string): Promise<void>
  remove(name: string): Promise<void>
}

export interface StateKit {
  /** The whole world as JSON, without secrets. */
  export(): Promise<unknown>
  import(state: unknown): Promise<void>
}

/** An error response of Petri: its detail as message, its status and its body. */
export interface PetriRefusal extends Error {
  readonly name: 'PetriRefusal'
  readonly status: number
  readonly body: unknown
}
