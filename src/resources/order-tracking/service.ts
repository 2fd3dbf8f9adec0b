import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { appointments } from '../appointments/table.ts'
import { isOver, type LowStatus } from '../orders/lifecycle.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, type OrderRow, orders } from '../orders/table.ts'
import { findReport, type Report } from '../results/service.ts'
import { eventSubject } from '../users/service.ts'
import { type Collection, collections, setbacks } from './milestones.ts'
import type { OrderTracking } from './schema.ts'
import { type Basis, type TrackingRow, trackings } from './table.ts'

const OVERDUE = 'order-tracking.overdue'

type Tracking = Parsed<typeof OrderTracking>
type Marker = NonNullable<OrderRow['lab_test']['markers']>[number]

/** When the results of an order are expected. */
export const getTracking = (world: World, orderId: string): Tracking =>
  present(world, getOrder(world, orderId))

const blank = {
  collected_at: null,
  inferred_from: null,
  original: null,
  current: null,
  updates: [],
} as const

/** Moves the estimates of an order that has reached a status. */
export function followOrder(world: World, orderId: string, status: string): void {
  const low = status as LowStatus
  const setback = setbacks[low]
  const collection = collections[low]
  if (isOver(low) || setback) world.agenda.cancel(OVERDUE, orderId)
  if (!setback && !collection) return
  const order = world.db.get(orders, orderId)
  const row = world.db.find(trackings, orderId) ?? { ...blank, order_id: orderId }
  if (collection) collect(world, order, row, collection)
  else if (setback && (row.current || setback.isAlwaysTold))
    revise(world, order, { ...row, current: null }, { ...setback, reason: setback.reason(order) })
}

/** Takes the time of collection from the status, and what results are expected from then on. */
function collect(world: World, order: OrderRow, row: TrackingRow, collection: Collection): void {
  const { inferredFrom, reason, source } = collection
  if (inferredFrom === 'lab_accessioning' && row.collected_at !== null) return
  const at = collectedAt(world, order, inferredFrom)
  if (at === undefined) return
  const current: Basis = { from: at, turnaround: 'common' }
  // A sample arrives once; the laboratory may stop and resume its work.
  const isKnown = inferredFrom === 'lab_arrival' && row.inferred_from === 'lab_arrival'
  const next: TrackingRow = {
    ...row,
    collected_at: isKnown ? row.collected_at : at,
    inferred_from: isKnown ? row.inferred_from : inferredFrom,
    original: row.original ?? current,
    current: row.current && isSameDay(order, row.current, current) ? row.current : current,
  }
  if (inferredFrom !== 'scheduled_appointment') awaitResults(world, order, current)
  const isFirst = row.current === null && row.updates.length === 0
  if (isFirst || next.current === row.current) world.db.put(trackings, next)
  else revise(world, order, next, { reason, source })
}

function collectedAt(world: World, order: OrderRow, from: TrackingRow['inferred_from']): number | undefined {
  if (from !== 'scheduled_appointment') return world.clock.now()
  const { data } = order.details
  const id = data && 'appointment_id' in data ? data.appointment_id : null
  const start = id === null ? null : world.db.find(appointments, id)?.start_at
  return start ? Date.parse(start) : undefined
}

const isSameDay = (order: OrderRow, one: Basis, other: Basis): boolean => {
  const [a, b] = [one, other].map((basis) => estimateOf(order.lab_test, basis))
  return a?.slice(0, 10) === b?.slice(0, 10)
}

/** Stores an update of the estimates, and announces it. */
function revise(
  world: World,
  order: OrderRow,
  row: TrackingRow,
  { reason, source }: Pick<TrackingRow['updates'][number], 'reason' | 'source'>,
): void {
  const { original, current, updates } = row
  const update = { at: world.clock.now(), reason, source, original, current }
  world.db.put(trackings, { ...row, updates: [...updates, update] })
  const subject = eventSubject(world, order.user_id, order.id)
  world.emit('labtest.order_tracking.updated', subject, present(world, order))
}

/** Waits for the usual turnaround to pass. */
function awaitResults(world: World, order: OrderRow, { from }: Basis): void {
  if (isOver(currentStatusOf(order))) return
  const { id, lab_test } = order
  const { common_tat_days: common, worst_case_tat_days: worst } = lab_test
  if (common === null || worst === null || worst <= common) return
  world.agenda.schedule({ due: from + common * DAY_MS, kind: OVERDUE, subject: id })
}

export const trackingJobs: JobKinds = {
  [OVERDUE]: {
    about: 'order',
    does: 'overdue results move the estimate',
    run(world, { subject }): void {
      const order = world.db.find(orders, subject)
      const row = world.db.find(trackings, subject)
      if (!order || !row?.current || isOver(currentStatusOf(order))) return
      const current: Basis = { ...row.current, turnaround: 'worst' }
      revise(
        world,
        order,
        { ...row, current },
        { reason: 'The laboratory takes longer than usual', source: 'lab' },
      )
    },
  },
}

/** The instant of an estimate; null without one, and for a marker without a known turnaround. */
function estimateOf(
  tested: Pick<Marker, 'common_tat_days' | 'worst_case_tat_days'>,
  basis: Basis | null,
): string | null {
  if (!basis) return null
  const days = basis.turnaround === 'common' ? tested.common_tat_days : tested.worst_case_tat_days
  return days === null ? null : toWire(basis.from + days * DAY_MS)
}

const estimatesOf = (
  tested: Parameters<typeof estimateOf>[0],
  { original, current }: Pick<TrackingRow, 'original' | 'current'>,
) => ({
  original_estimate: estimateOf(tested, original),
  current_estimate: estimateOf(tested, current),
})

function present(world: World, order: OrderRow): Tracking {
  const { id, lab_test } = order
  const row = world.db.find(trackings, id) ?? { ...blank, order_id: id }
  const markers = lab_test.markers ?? []
  const report = findReport(world, order)
  return {
    order_id: id,
    expected_at: { final_results: estimatesOf(lab_test, row) },
    collected_at:
      row.collected_at === null
        ? null
        : {
            collected_at: toWire(row.collected_at),
            is_inferred: row.inferred_from !== null,
            inferred_from: row.inferred_from,
          },
    markers: markers.map((marker) => ({
      ...nameOf(marker),
      slug: marker.slug,
      ...resultsOf(world, marker, report, isOver(currentStatusOf(order))),
      expected_at: estimatesOf(marker, row),
    })),
    updates: row.updates.map(({ at, reason, source, ...estimates }) => ({
      created_at: toWire(at),
      reason,
      revised_estimate: estimateOf(lab_test, estimates.current),
      impacted_markers: markers.map((marker) => ({
        ...nameOf(marker),
        estimates: estimatesOf(marker, estimates),
      })),
      source,
    })),
  }
}

const nameOf = ({ id, name, provider_id }: Marker) => ({ id, name, provider_id })

/** How far a marker is, and the results that it has. */
function resultsOf(
  world: World,
  { id }: Marker,
  report: Report | undefined,
  isFinal: boolean,
): Pick<Tracking['markers'][number], 'status' | 'results'> {
  const expected = world.services.catalogue.markers().get(id)?.results ?? []
  const lines = (report?.results ?? []).filter(({ source_markers }) =>
    source_markers?.some(({ marker_id }) => marker_id === id),
  )
  const isWhole = lines.length > 0 && expected.every(({ slug }) => lines.some((line) => line.slug === slug))
  const unfinished = report && isFinal ? 'incomplete' : 'pending'
  return {
    status: isWhole ? 'resulted' : unfinished,
    results: lines.map(({ name, slug, provider_id }) => ({
      id: expected.find((result) => result.slug === slug)?.id ?? null,
      name,
      slug,
      provider_id,
    })),
  }
}
