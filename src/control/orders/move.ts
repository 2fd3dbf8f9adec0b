import * as z from 'zod'
import { boolean, field, oneOf, text } from '../../api/fields.ts'
import { notText, valueError } from '../../api/issue.ts'
import { operation } from '../../api/operation.ts'
import { schema } from '../../api/schema.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { badRequest } from '../../kernel/problem.ts'
import { birthDate } from '../../resources/orders/birth-date.ts'
import { hasReport, readStatus, statusDetails, statusSpellings } from '../../resources/orders/lifecycle.ts'
import { genders, interpretations, Order } from '../../resources/orders/schema.ts'
import { getOrder, moveByHand } from '../../resources/orders/service.ts'
import { methodOf, orders } from '../../resources/orders/table.ts'
import type { Step } from '../../resources/orders/transition.ts'
import { assertPossible, moveWithResults } from '../../resources/results/exact.ts'
import { resultTypes } from '../../resources/results/schema.ts'
import { assertKnownResults, planOf } from '../../resources/results/service.ts'
import { exactResults, MAX_RESULTS_BYTES } from './results.ts'

/** A low-level or dotted status in any accepted spelling. */
export const anyStatus = () =>
  field({ type: 'string', examples: ['lost', 'failed.testkit.lost'] }, (input) => {
    if (typeof input !== 'string') return notText
    return (
      readStatus(input) ??
      valueError(`"${input}" is not a status of an order.${didYouMean(input, statusSpellings())}`)
    )
  })

const Move = schema('Move', () =>
  z.strictObject({
    status: anyStatus(),
    status_detail: oneOf(statusDetails).nullable().optional(),
    patient: z
      .strictObject({
        first_name: text(),
        last_name: text(),
        dob: birthDate(),
        gender: oneOf(genders),
        phone_number: text(),
        email: text(),
      })
      .partial()
      .optional()
      .describe('Who registers the kit; what is omitted is that of the user.'),
    shipment: z
      .strictObject({
        outbound_courier: text(),
        inbound_courier: text(),
        outbound_tracking_number: text(),
        inbound_tracking_number: text(),
        notes: text(),
      })
      .partial()
      .optional(),
    results: z
      .strictObject({
        interpretation: oneOf(interpretations).optional(),
        missing: z.union([z.array(text()), z.boolean()]).optional(),
        types: z.array(oneOf(resultTypes)).optional(),
        ...exactResults(),
      })
      .optional(),
    force: boolean().default(false),
  }),
)

export const moveOrderOperation = operation({
  id: 'petri_orders_move',
  route: 'POST /_petri/orders/{order_id}/move',
  summary:
    'Set the status of an order manually; it leaves its scenario. A move the lifecycle does not allow needs force',
  tool: { name: 'move_order' },
  body: Move,
  maxBodyBytes: MAX_RESULTS_BYTES,
  returns: Order,
  needs: 'scenarios',
  run(world, { params, body }) {
    const { status, status_detail: detail, patient, shipment, results, force } = body
    const order = getOrder(world, params.order_id)
    if (status.method && status.method !== methodOf(order)) {
      throw badRequest(`${status.method} is not how this order is collected; it is ${methodOf(order)}.`)
    }
    if (Array.isArray(results?.missing)) assertKnownResults(world, order, results.missing)
    const { values, comment, pdf, ...plan } = results ?? {}
    const isExact = values !== undefined || comment !== undefined || pdf !== undefined
    if (isExact && !hasReport(status.low))
      throw badRequest(`An order that becomes ${status.low} gets no results with it.`)
    if (patient && status.low !== 'registered')
      throw badRequest(`An order that becomes ${status.low} gets no patient with it.`)
    assertPossible(world, order, { values, missing: plan.missing })
    const step = {
      to: status.low,
      detail,
      patient,
      shipment,
      results: { ...plan, ...planOf({ values, comment }) },
    } as Step
    moveWithResults(world, order, step, pdf, (each) => moveByHand(world, params.order_id, each, force))
    return world.db.text(orders, params.order_id)
  },
})
