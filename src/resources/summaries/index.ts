import type { Resource } from '../../contract/resource.ts'
import { summaryEvents } from './events.ts'

export const summaryResource: Resource = { name: 'summaries', operations: [], events: summaryEvents }
