import type { EventType } from '../../api/resource.ts'
import { ResultTableChanges } from './schema.ts'

export const TABLE_CHANGED = 'continuous_query.result_table.changed'

export const senseEvents: readonly EventType[] = [{ name: TABLE_CHANGED, data: ResultTableChanges }]
