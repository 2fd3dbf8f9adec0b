import type { EventType } from '../../contract/resource.ts'
import { Activity } from './schema.ts'

export const summaryEvents: readonly EventType[] = [
  { name: 'daily.data.activity.created', data: Activity },
  { name: 'daily.data.activity.updated', data: Activity },
]
