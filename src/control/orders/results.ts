import * as z from 'zod'
import { text } from '../../api/fields.ts'
import { operation } from '../../api/operation.ts'
import { schema } from '../../api/schema.ts'
import { putResults } from '../../resources/results/exact.ts'
import { pdfInBase64 } from '../../resources/results/own-pdf.ts'

/** The fields of exact results. */
export const exactResults = () => ({
  values: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .optional()
    .describe('Values by slug, LOINC or provider code; a text for a result in words.'),
  comment: text()
    .max(2000)
    .optional()
    .describe('A comment of the laboratory on these results; on all without values.'),
  pdf: pdfInBase64().optional().describe('The PDF to serve instead of the generated one, in Base64.'),
})

/** The maximum size of a body with a PDF in Base64. */
export const MAX_RESULTS_BYTES = 3 * 1024 * 1024

const ExactResults = schema('PetriExactResults', () => z.strictObject(exactResults()))

export const ResultsPut = schema('PetriResultsPut', () => ({
  order_id: z.guid(),
  /** Dotted. */
  status: z.string(),
  /** Whether a correction has reported them; otherwise they are reported with the next results. */
  applied: z.boolean(),
}))

export const putResultsOperation = operation({
  id: 'petri_orders_results_put',
  route: 'PUT /_petri/orders/{order_id}/results',
  summary:
    'Set exact results: they come with the next report, or at once as a correction of a completed order',
  tool: {
    name: 'set_results',
    description: 'Flags, interpretation and calculated values follow from the values.',
  },
  body: ExactResults,
  maxBodyBytes: MAX_RESULTS_BYTES,
  returns: ResultsPut,
  needs: 'scenarios',
  run(world, { params: { order_id }, body }) {
    const { order, applied } = putResults(world, order_id, body)
    return { order_id, status: order.last_event.status, applied }
  },
})
