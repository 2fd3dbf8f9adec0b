import { dateTime, integer } from '../../api/fields.ts'
import { asFile, type CustomResponse, operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { unnamed } from '../../api/schema.ts'
import { oneAfterAnother } from '../../kernel/slices.ts'
import {
  abnPdf,
  labelsPdf,
  labTestInstructionsPdf,
  orderInstructionsPdf,
  requisitionPdf,
  resultPdf,
  transactionResultPdf,
} from './service.ts'

const LabelQuery = unnamed(() => ({ collection_date: dateTime(), number_of_labels: integer().default(3) }))

const produces = 'application/pdf'

/** Documents are made one after the other: each takes megabytes until it is done. */
const makeInTurn = oneAfterAnother()

const asPdf = async (make: () => Promise<Uint8Array>): Promise<CustomResponse<never>> =>
  asFile(await makeInTurn(make), produces)

const documentOperations = [
  operation({
    produces,
    id: 'lab_tests_get_result_pdf',
    route: 'GET /v3/order/{order_id}/result/pdf',
    summary: "Get an order's results as the laboratory's report",
    run: (world, { params }) => asPdf(() => resultPdf(world, params.order_id)),
  }),
  operation({
    produces,
    id: 'lab_tests_get_order_requistion_pdf',
    route: 'GET /v3/order/{order_id}/requisition/pdf',
    summary: "Get an order's requisition",
    run: (world, { params }) => asPdf(() => requisitionPdf(world, params.order_id)),
  }),
  operation({
    produces,
    id: 'lab_tests_get_labels_pdf',
    route: 'GET /v3/order/{order_id}/labels/pdf',
    summary: "Get labels for an order's samples",
    query: LabelQuery,
    run(world, { params, query }) {
      const input = { collectedAt: query.collection_date, count: query.number_of_labels }
      return asPdf(() => labelsPdf(world, params.order_id, input))
    },
  }),
  operation({
    produces,
    id: 'lab_tests_get_order_abn_pdf',
    route: 'GET /v3/order/{order_id}/abn_pdf',
    summary: "Get an order's advance beneficiary notice",
    run: (world, { params }) => asPdf(() => abnPdf(world, params.order_id)),
  }),
  operation({
    produces,
    id: 'lab_tests_get_order_collection_instruction_pdf',
    route: 'GET /v3/order/{order_id}/collection_instruction_pdf',
    summary: "Get how an order's sample is taken",
    run: (world, { params }) => asPdf(() => orderInstructionsPdf(world, params.order_id)),
  }),
  operation({
    id: 'lab_tests_get_lab_test_collection_instruction_pdf',
    route: 'GET /v3/lab_test/{lab_test_id}/collection_instruction_pdf',
    summary: "Get how a lab test's sample is taken",
    produces,
    run: (world, { params }) => asPdf(() => labTestInstructionsPdf(world, params.lab_test_id)),
  }),
  operation({
    id: 'order_transaction_get_transaction_result_pdf',
    route: 'GET /v3/order_transaction/{transaction_id}/result/pdf',
    summary: 'Get the results of all orders of a transaction as one report',
    produces,
    run: (world, { params }) => asPdf(() => transactionResultPdf(world, params.transaction_id)),
  }),
]

export const documentResource: Resource = { name: 'documents', operations: documentOperations }
