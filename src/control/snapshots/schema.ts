import * as z from 'zod'
import { field } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { SNAPSHOT_NAME } from '../../storage/snapshots.ts'

export const Snapshot = schema('PetriSnapshot', () =>
  z.object({
    name: z.string(),
    /** The time of the world's clock when it was taken. */
    at: z.iso.datetime({ offset: true }),
    frozen: z.boolean(),
    rows: z.int(),
  }),
)

export const Snapshots = schema('PetriSnapshots', () => pageOf(Snapshot()))

export const SnapshotPath = unnamed(() =>
  z.object({
    name: field({ type: 'string', pattern: SNAPSHOT_NAME.source }, (input) =>
      typeof input === 'string' && SNAPSHOT_NAME.test(input)
        ? input
        : valueError('the name of a snapshot has up to 64 lower-case letters, digits, ".", "_" and "-"'),
    ),
  }),
)
