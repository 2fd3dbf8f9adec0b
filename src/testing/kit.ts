import type {
  Advanced,
  Call,
  CallInFull,
  Clock,
  DeliveryRules,
  Endpoint,
  Fault,
  FaultWish,
  Message,
  MessageStatus,
  Order,
  OrderStory,
  Story,
  StoryInFull,
  User,
  UserDataKept,
  World,
} from './answers.ts'

/** Receives webhooks inside this process; what it answers is what Petri sees, nothing being 204. */
export type Receiver = (request: Request) => Response | undefined | Promise<Response | undefined> | Promise<void> | void

/** What a world is born with. */
export interface WorldOptions {
  readonly name?: string
  readonly seed?: string
  /** The clock stands until it is advanced; true unless said otherwise. */
  readonly frozen?: boolean
  /** Where the clock starts, as ISO 8601. */
  readonly now?: string
  /** How many times faster than true simulated waits pass in a live world; 8640, a day in ten seconds, unless said. */
  readonly pace?: number
  /** The story orders follow unless something nearer chooses. */
  readonly scenario?: string
  /** Where webhooks go: a URL, or a function of this process. */
  readonly webhookUrl?: string | Receiver
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
  trigger(event: TriggerWish): Promise<readonly Message[]>
  /** Settings, clock and counts as they stand. */
  describe(): Promise<World>
  /** Sets the default story, and features; null puts a feature back to its default. */
  set(settings: {
    readonly scenario?: string
    readonly features?: Readonly<Record<string, boolean | string | null>>
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

/** How long, as in `90s`, `3d`, `1d12h`. */
export type Duration = string

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
  /** The story the user's orders follow; null for the world's. */
  follow(userId: string, scenario: string | null): Promise<void>
  /** Samples of a timeseries, or a summary, arrive with their events. */
  addData(userId: string, data: UserData): Promise<UserDataKept>
}

export interface UserData {
  readonly resource: string
  readonly provider: string
  readonly source_type?: string
  readonly samples?: readonly Readonly<Record<string, unknown>>[]
  readonly summary?: Readonly<Record<string, unknown>>
}

export interface OrdersKit {
  /** Orders a test kit, for tests that are not about ordering; of a user of its own unless one is named. */
  place(wish?: {
    readonly scenario?: string
    readonly userId?: string
    readonly zip?: string
    /** A test of the catalogue; the first one collected by kit unless said. */
    readonly labTestId?: string
  }): Promise<Order>
  get(orderId: string): Promise<Order>
  /** Moves it by hand, out of its story. */
  move(orderId: string, step: string | OrderMove): Promise<Order>
  /** How far it is in its story. */
  story(orderId: string): Promise<OrderStory>
  /** Puts it into a story from where it stands. */
  follow(orderId: string, scenario: string, options?: { readonly from?: string }): Promise<OrderStory>
  /** Waits until it has a status, low-level or dotted. */
  wait(orderId: string, status: string, options?: WaitOptions): Promise<Order>
}

export interface OrderMove {
  readonly status: string
  readonly status_detail?: string | null
  readonly shipment?: Readonly<Record<string, string>>
  readonly results?: {
    readonly interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown'
    readonly missing?: readonly string[] | boolean
  }
  /** Also where the lifecycle has no such move. */
  readonly force?: boolean
}

export interface WaitOptions {
  /** True time; ten seconds unless said. */
  readonly timeout?: Duration
  /** How often it has to have happened. */
  readonly times?: number
}

export interface ScenariosKit {
  list(): Promise<readonly Story[]>
  get(name: string): Promise<StoryInFull>
  /** Gives this world a story, as YAML or as an object. */
  add(name: string, story: string | Readonly<Record<string, unknown>>): Promise<StoryInFull>
  remove(name: string): Promise<void>
}

export interface MessageFilter {
  readonly event_type?: string
  readonly order_id?: string
  readonly user_id?: string
  readonly status?: MessageStatus
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

export interface EndpointOptions {
  readonly secret?: string
  readonly description?: string | null
  readonly event_types?: readonly string[] | null
  readonly headers?: Readonly<Record<string, string>>
  readonly disabled?: boolean
}

export interface CallFilter {
  /** An id or a route. */
  readonly operation?: string
  /** Such as `404`, or `4xx`. */
  readonly status?: number | string
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
  set(...faults: readonly FaultWish[]): Promise<readonly Fault[]>
  clear(): Promise<void>
}

export interface SnapshotsKit {
  list(): Promise<readonly { readonly name: string; readonly [field: string]: unknown }[]>
  save(name: string): Promise<void>
  restore(name: string): Promise<void>
  remove(name: string): Promise<void>
}

export interface StateKit {
  /** The whole world as JSON; secrets are left out. */
  export(): Promise<unknown>
  import(state: unknown): Promise<void>
}

export interface TriggerWish {
  readonly event_type: string
  readonly order_id?: string
  readonly user_id?: string
  readonly provider?: string
  readonly appointment_id?: string
  readonly job_id?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What Petri refused: the message in its words, the status and the body as they came. */
export interface PetriRefusal extends Error {
  readonly name: 'PetriRefusal'
  readonly status: number
  readonly body: unknown
}
