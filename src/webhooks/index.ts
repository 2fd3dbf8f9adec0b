import { startTimer } from '../kernel/pause.ts'
import { runAtOnce, runInSlices } from '../kernel/slices.ts'
import { type JobHandler, jobKey } from '../scheduler/job.ts'
import type { EventHead } from '../world/events.ts'
import type { World } from '../world/world.ts'
import { bufferedMessages } from './buffer.ts'
import type { DeliveryOptions } from './delivery.ts'
import { hasDeliveryFaults } from './delivery-faults.ts'
import { deliveryJobs } from './delivery-jobs.ts'
import { DeliveryState, type WallHeaders } from './delivery-state.ts'
import { addEndpoint } from './endpoints.ts'
import { ATTEMPT } from './jobs.ts'
import type { EventLog } from './log.ts'
import { enqueue, resumePending, subscribers } from './messages.ts'
import { type Message, messages } from './table.ts'

/** The longest a call waits for earlier deliveries, in true milliseconds. */
const MAX_WAIT_MS = 5000
/** Messages that are counted when the world is opened, in slices; fewer are when that is first needed. */
const MANY_MESSAGES = 1000

/** Delivers the events of worlds to their endpoints. */
export interface Webhooks {
  readonly handlers: ReadonlyMap<string, (world: World) => JobHandler>
  onEvent(world: World, event: EventHead): void
  /** Queues a new message behind the one its endpoint is receiving; returns false when it needs a job of its own. */
  queueBehindCurrent(world: World, message: Message): boolean
  onWorldCreated(world: World): void
  /** Continues with what a world had to deliver when it was closed. */
  onWorldOpened(world: World): Promise<void>
  /** Stops delivering for a world that is gone. */
  forget(world: World): void
  /** Resolves once nothing that is due now is left to deliver. */
  settled(world: World): Promise<void>
  /**
   * In a frozen world, resolves once what is due now is done and delivered. A call that changes deliveries, keeps the world as
   * it is or reads what jobs make waits for this, so that equal calls find equal worlds however fast the receivers are.
   */
  earlierDelivered(world: World): Promise<void>
  logOf(world: World): EventLog
  /** Headers of an attempt in a frozen world that follow from the wall clock. */
  wallHeaders(world: World, message: Message, attempt: number): WallHeaders
  close(): Promise<void>
}

export function createWebhooks(options: DeliveryOptions): Webhooks {
  const states = new WeakMap<World, DeliveryState>()
  const addState = (world: World): DeliveryState => {
    const state = new DeliveryState(world)
    states.set(world, state)
    return state
  }
  const stateOf = (world: World): DeliveryState => {
    const known = states.get(world)
    if (known) return known
    const state = addState(world)
    runAtOnce(state.log.load())
    return state
  }
  return {
    handlers: deliveryJobs(stateOf, options),
    onEvent: (world, event) => enqueue(world, event, subscribers(world, event.event_type)),
    queueBehindCurrent: (world, message) =>
      !world.clock.frozen &&
      !world.agenda.busy &&
      !world.agenda.isDue &&
      !hasDeliveryFaults(world) &&
      stateOf(world).mutex.enqueueIfBusy(message.endpoint_id, jobKey(ATTEMPT, message.id)),
    onWorldCreated(world) {
      if (world.options.webhookUrl) addEndpoint(world, { url: world.options.webhookUrl })
    },
    async onWorldOpened(world) {
      const isLarge = world.db.count(messages) > MANY_MESSAGES
      if (isLarge) await runInSlices(addState(world).log.load())
      await runInSlices(resumePending(world))
      await world.db.buildIndexes(messages)
      await world.db.buildIndexes(bufferedMessages)
    },
    forget(world) {
      const state = states.get(world)
      if (state) state.closed = true
    },
    settled: (world) => settled(world, stateOf(world)),
    async earlierDelivered(world) {
      if (!world.clock.frozen) return
      let stopTimer = () => {}
      const tooLong = new Promise<void>((resolve) => {
        stopTimer = startTimer(MAX_WAIT_MS, resolve)
      })
      await Promise.race([settled(world, stateOf(world)), tooLong])
      stopTimer()
    },
    logOf: (world) => stateOf(world).log,
    wallHeaders: (world, { id }, number) => stateOf(world).wallHeaders.get(`${id}/${number}`) ?? {},
    close: async () => options.transport.close?.(),
  }
}

async function settled({ agenda }: World, state: DeliveryState): Promise<void> {
  while (!state.closed && (state.mutex.busy || agenda.busy || agenda.isDue)) {
    if (state.mutex.busy) await state.mutex.idle()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
