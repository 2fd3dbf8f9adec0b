import type {
  Advanced,
  Call,
  CallInFull,
  Clock,
  Coverage,
  Endpoint,
  Fault,
  Message,
  Order,
  OrderScenario,
  Scenario,
  ScenarioInFull,
  Snapshot,
  Triggered,
  User,
  UserDataKept,
  World,
} from './answers.ts'
import type {
  CallFilter,
  DeliveryRules,
  Duration,
  EndpointOptions,
  FaultInput,
  MessageFilter,
  OrderInput,
  OrderMove,
  TriggerInput,
  UserData,
  WaitOptions,
} from './inputs.ts'

/** Receives webhooks inside this process; what it answers is what Petri sees, nothing being 204. */
export type Receiver = (
  request: Request,
) => Response | undefined | Promise<Response | undefined> | Promise<void> | void

/** What a world is born with. */
export interface WorldOptions {
  readonly name?: string | undefined
  readonly seed?: string | undefined
  /** The clock stands until it is advanced; true unless said otherwise. */
  readonly frozen?: boolean | undefined
  /** Where the clock starts, as ISO 8601. */
  readonly now?: string | undefined
  /** How many times faster than true simulated waits pass in a live world; 8640, a day in ten seconds, unless said. */
  readonly pace?: number | undefined
  /** The scenario orders follow unless something nearer chooses. */
  readonly scenario?: string | undefined
  /** Where webhooks go: a URL, or a function of this process. */
  readonly webhookUrl?: string | Receiver | undefined
}

/** A sandbox of its own: data, clock, webhooks. What is asked of it in vain is thrown as a `PetriRefusal`. */
export interface PetriWorld {
  /** Where it answers; undefined without a port. */
  readonly url: string | undefined
  readonly apiKey: string
  readonly webhookSecret: string
  readonly teamId: string
  /** `fetch`, the API key added where there is none; a path is enough of a URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** A call with a JSON body whose JSON answer is given back. */
  call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Body>
  readonly clock: ClockKit
  readonly users: UsersKit
  readonly orders: OrdersKit
  readonly scenarios: ScenariosKit
  readonly webhooks: WebhooksKit
  readonly requests: RequestsKit
  readonly faults: FaultsKit
  readonly snapshots: SnapshotsKit
  readonly state: StateKit
  /** Sends an event of the catalogue about the object named. */
  trigger(event: TriggerInput): Promise<Triggered>
  /** Which operations, statuses, event types and errors this world's clients have met, and which never. */
  coverage(): Promise<Coverage>
  /** Settings, clock and counts as they stand. */
  describe(): Promise<World>
  /** Sets the default scenario, and features; null puts a feature back to its default. */
  set(settings: {
    readonly scenario?: string | undefined
    readonly features?: Readonly<Record<string, boolean | string | null>> | undefined
  }): Promise<World>
  /** Back to birth, or to the birth of another seed; endpoints added since are gone. */
  reset(options?: { readonly seed?: string }): Promise<void>
  /** Drops the world, or ends what was started or connected. */
  close(): Promise<void>
}

export interface RunningPetri extends PetriWorld {
  /** Another world with a key of its own, sharing nothing; made in milliseconds. */
  world(options?: WorldOptions): Promise<PetriWorld>
}

export interface ClockKit {
  get(): Promise<Clock>
  now(): Promise<Date>
  /** Moves it, running all that falls due on the way; every delivery has been tried when this returns. */
  advance(by: Duration | { readonly to: string | Date } | { readonly until: 'idle' }): Promise<Advanced>
  /** Runs what is due now, webhooks included, without moving the clock. */
  settle(): Promise<Advanced>
  freeze(): Promise<Clock>
  run(): Promise<Clock>
  setPace(pace: number): Promise<Clock>
}

export interface UsersKit {
  create(clientUserId?: string): Promise<User>
  get(userId: string): Promise<User>
  /** The scenario the user's orders follow; null for the world's. */
  follow(userId: string, scenario: string | null): Promise<void>
  /** Samples of a timeseries, or a summary, arrive with their events. */
  addData(userId: string, data: UserData): Promise<UserDataKept>
}

export interface OrdersKit {
  /** Places an order, for tests that are not about ordering; what is not said is made up. */
  place(input?: OrderInput): Promise<Order>
  get(orderId: string): Promise<Order>
  /** Moves it by hand, out of its scenario. */
  move(orderId: string, step: string | OrderMove): Promise<Order>
  /** How far it is in its scenario. */
  scenario(orderId: string): Promise<OrderScenario>
  /** @deprecated Use `scenario`. */
  story(orderId: string): Promise<OrderScenario>
  /** Puts it into a scenario from where it stands. */
  follow(orderId: string, scenario: string, options?: { readonly from?: string }): Promise<OrderScenario>
  /** Waits until it has a status, low-level or dotted. */
  wait(orderId: string, status: string, options?: WaitOptions): Promise<Order>
}

export interface ScenariosKit {
  list(): Promise<readonly Scenario[]>
  get(name: string): Promise<ScenarioInFull>
  /** Gives this world a scenario, as YAML or as an object. */
  add(name: string, scenario: string | Readonly<Record<string, unknown>>): Promise<ScenarioInFull>
  remove(name: string): Promise<void>
}

export interface WebhooksKit {
  /** Sends webhooks to a URL or to a function of this process, signed with the world's secret. */
  deliverTo(target: string | Receiver, options?: EndpointOptions): Promise<Endpoint>
  readonly endpoints: {
    list(): Promise<readonly Endpoint[]>
    change(endpointId: string, change: EndpointOptions & { readonly url?: string }): Promise<Endpoint>
    remove(endpointId: string): Promise<void>
    /** For a day of the world's time the old secret signs beside the new one. */
    rotateSecret(endpointId: string, secret?: string): Promise<Endpoint>
  }
  /** Everything that was sent or is about to be, oldest first, with its attempts. */
  messages(filter?: MessageFilter & { readonly endpoint_id?: string }): Promise<readonly Message[]>
  message(messageId: string): Promise<Message>
  /** Waits until such a message was delivered, or has the status asked for. */
  wait(filter?: MessageFilter, options?: WaitOptions): Promise<readonly Message[]>
  resend(messageId: string): Promise<Message>
  /** Tries all again that failed since an instant; tells how many. */
  recover(since: string | Date, options?: { readonly endpoint_id?: string }): Promise<number>
  /** Makes deliveries misbehave, in place of what was said before. */
  misbehave(rules: DeliveryRules): Promise<void>
  /** Lets them be as they should. */
  behave(): Promise<void>
}

export interface RequestsKit {
  /** The latest calls of clients, oldest first; those of the control API are not among them. */
  list(filter?: CallFilter & { readonly method?: string; readonly path?: string }): Promise<readonly Call[]>
  /** One by its `x-request-id`: what was sent and answered, what nothing read, what it caused. */
  get(requestId: string): Promise<CallInFull>
  /** Waits until such a call was seen. */
  wait(filter: CallFilter & { readonly operation: string }, options?: WaitOptions): Promise<readonly Call[]>
  clear(): Promise<void>
}

export interface FaultsKit {
  list(): Promise<readonly Fault[]>
  /** In place of all there were. */
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
  /** The whole world as JSON; secrets are left out. */
  export(): Promise<unknown>
  import(state: unknown): Promise<void>
}

/** What Petri refused: the message in its words, the status and the body as they came. */
export interface PetriRefusal extends Error {
  readonly name: 'PetriRefusal'
  readonly status: number
  readonly body: unknown
}
