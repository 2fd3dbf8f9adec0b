import type { AnsweredCall } from '../api/answered-call.ts'
import { asFile, isMirrored, operation } from '../api/operation.ts'
import { heapUse } from '../kernel/heap.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { largest, sumOf } from '../kernel/list.ts'
import { orders } from '../resources/orders/table.ts'
import { countMessages } from '../webhooks/state.ts'
import { isInMemory } from '../world/resting-world.ts'
import type { WorldOutline } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'

export type CallCounts = ReturnType<typeof createCallCounts>

/** The number of calls since Petri started, of all worlds and without one, by status. */
export function createCallCounts() {
  const counts = { service: new Map<number, number>(), control: new Map<number, number>() }
  const add = ({ operation, status }: AnsweredCall) => {
    const counted = counts[operation && !isMirrored(operation) ? 'control' : 'service']
    counted.set(status, (counted.get(status) ?? 0) + 1)
  }
  return { counts, add }
}

export const metricsOperation = (worlds: Worlds, { counts }: Pick<CallCounts, 'counts'>) =>
  operation({
    id: 'petri_metrics',
    route: 'GET /_petri/metrics',
    summary: "Show the metrics of this Petri in Prometheus' text format",
    access: 'control',
    produces: 'text/plain',
    async run() {
      const { Counter, Gauge, Registry } = (await import('prom-client')).default
      const registry = new Registry()
      const registers = [registry]
      const calls = new Counter({
        name: 'petri_calls_total',
        help: 'Calls since Petri started, of the mirrored service and of /_petri, by status',
        labelNames: ['api', 'status'],
        registers,
      })
      for (const [api, counted] of Object.entries(counts))
        for (const [status, count] of counted) calls.inc({ api, status }, count)
      for (const [name, { help, value }] of Object.entries(measure(worlds)))
        new Gauge({ name, help, registers }).set(value)
      return asFile(Buffer.from(await registry.metrics()), registry.contentType)
    },
  })

function measure(worlds: Worlds) {
  const all = worlds.all()
  const messages = all.map((world) => (isInMemory(world) ? countMessages(world) : world.summary.messages))
  return {
    petri_worlds: { help: 'Worlds', value: all.length },
    petri_worlds_in_memory: { help: 'Worlds whose rows are in memory', value: all.filter(isInMemory).length },
    petri_orders: { help: 'Orders in all worlds', value: sumOf(all.map((world) => world.count(orders))) },
    petri_events_pending: {
      help: 'Webhook messages that wait for an attempt',
      value: sumOf(messages.map(({ pending }) => pending)),
    },
    petri_events_failed: {
      help: 'Webhook messages that were given up, or whose last attempt failed',
      value: sumOf(messages.map(({ failing }) => failing)),
    },
    petri_clock_lag_seconds: {
      help: 'How long the job that is due longest has waited, by the clock of its world',
      value: largest([0, ...all.map(lagOf)]) / SECOND_MS,
    },
    nodejs_heap_size_used_bytes: { help: 'Heap in use', value: process.memoryUsage().heapUsed },
    petri_heap_used_ratio: { help: 'Heap in use, as a part of its limit', value: heapUse() },
  }
}

const lagOf = ({ agenda, clock }: WorldOutline): number =>
  clock.reading() - (agenda.nextDue() ?? Number.POSITIVE_INFINITY)
