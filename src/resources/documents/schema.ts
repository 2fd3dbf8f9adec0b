import * as z from 'zod'
import { dateTime, integer, uuid } from '../../api/fields.ts'
import { unnamed } from '../../api/schema.ts'

export const OrderPath = unnamed(() => z.object({ order_id: uuid() }))
export const LabTestPath = unnamed(() => z.object({ lab_test_id: uuid() }))
export const TransactionPath = unnamed(() => z.object({ transaction_id: uuid() }))
export const LabelQuery = unnamed(() =>
  z.object({ collection_date: dateTime(), number_of_labels: integer().default(3) }),
)
