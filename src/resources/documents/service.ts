import { badRequest, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getLabTest } from '../lab-tests/service.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, type OrderRow, statusHistoryOf } from '../orders/table.ts'
import { getReport, getTransactionReport } from '../results/service.ts'
import { resultPdfs } from '../results/table.ts'
import { instructionsDocument } from './instructions.ts'
import { type LabelInput, labelsDocument } from './labels.ts'
import { reportDocument } from './report.ts'
import { abnDocument, reachedAt, requisitionDocument } from './requisition.ts'

/** An order's documents as PDF, made on request from the current order; only a PDF of the user is stored. */

export async function resultPdf(world: World, orderId: string): Promise<Uint8Array> {
  const { order, report } = getReport(world, orderId)
  return ownPdf(world, order) ?? reportDocument(world, [order], report)
}

export async function transactionResultPdf(world: World, transactionId: string): Promise<Uint8Array> {
  const { orders, report } = getTransactionReport(world, transactionId)
  const [order, another] = orders
  return (another ? undefined : ownPdf(world, order)) ?? reportDocument(world, orders, report)
}

/** The PDF that the user gave with the results. */
function ownPdf(world: World, { id }: OrderRow): Uint8Array | undefined {
  const own = world.db.find(resultPdfs, id)
  return own && Buffer.from(own.pdf, 'base64')
}

export function requisitionPdf(world: World, orderId: string): Promise<Uint8Array> {
  const order = getOrder(world, orderId)
  needRequisition(order)
  return requisitionDocument(world, order)
}

/** Source: docs/contract/documents.md. */
function needRequisition(order: OrderRow): void {
  const history = statusHistoryOf(order)
  if (history.includes('requisition_created')) return
  if (history.includes('requisition_bypassed'))
    throw new Problem('not_found', 'This order does not have a requisition.')
  throw badRequest(`This order does not have a requisition, it's still in state ${currentStatusOf(order)}.`)
}

/** The maximum number of labels in a document. */
const MAX_LABELS = 100

export function labelsPdf(world: World, orderId: string, input: LabelInput): Promise<Uint8Array> {
  const order = getOrder(world, orderId)
  if (input.count < 1 || input.count > MAX_LABELS)
    throw badRequest(`number_of_labels must be between 1 and ${MAX_LABELS}`)
  if (!order.sample_id) needRequisition(order)
  return labelsDocument(order, input)
}

export function abnPdf(world: World, orderId: string): Promise<Uint8Array> {
  const order = getOrder(world, orderId)
  if (!order.has_abn) throw new Problem('not_found', "This order doesn't have an ABN.")
  return abnDocument(world, order)
}

export function orderInstructionsPdf(world: World, orderId: string): Promise<Uint8Array> {
  const order = getOrder(world, orderId)
  const { lab_test: test } = order
  needInstructions(test.has_collection_instructions, 'order')
  const at = Date.parse(reachedAt(order, 'requisition_created') ?? order.created_at)
  return instructionsDocument(world, { test, lab: test.lab?.slug, at, order })
}

export function labTestInstructionsPdf(world: World, labTestId: string): Promise<Uint8Array> {
  const test = getLabTest(world, labTestId)
  needInstructions(test.has_collection_instructions, 'lab test')
  return instructionsDocument(world, { test, lab: test.lab, at: Date.parse(test.updated_at) })
}

function needInstructions(has: boolean | null, what: string): void {
  if (has !== true) throw new Problem('not_found', `This ${what} doesn't have collection instructions.`)
}
