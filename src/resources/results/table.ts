import * as z from 'zod'
import { table } from '../../storage/table.ts'

/** The user's own PDF of an order's results, in Base64; without one it is generated. */
export const resultPdfs = table(
  'result_pdfs',
  () => z.object({ order_id: z.string(), pdf: z.base64() }),
  ({ order_id }) => order_id,
  { owner: 'order' },
)
