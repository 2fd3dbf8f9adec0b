import * as z from 'zod'
import { instantMs, type RowOf, table } from '../../storage/table.ts'
import { inferences, updateSources } from './schema.ts'

/** An estimate: the usual or the longest turnaround of each marker, from an instant on. */
const Basis = () => z.object({ from: instantMs(), turnaround: z.enum(['common', 'worst']) })

/** What the tracking of an order cannot read from the order; a row exists once there is an estimate or an update. */
export const trackings = table(
  'order_trackings',
  () =>
    z.object({
      order_id: z.string(),
      collected_at: instantMs().nullable(),
      inferred_from: z.enum(inferences).nullable(),
      original: Basis().nullable(),
      current: Basis().nullable(),
      updates: z.array(
        z.object({
          at: instantMs(),
          reason: z.string(),
          source: z.enum(updateSources),
          /** The estimates of the markers afterwards. */
          original: Basis().nullable(),
          current: Basis().nullable(),
        }),
      ),
    }),
  ({ order_id }) => order_id,
  { owner: 'order' },
)
export type TrackingRow = RowOf<typeof trackings>
export type Basis = NonNullable<TrackingRow['current']>
