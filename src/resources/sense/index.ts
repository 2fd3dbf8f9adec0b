import type { Resource } from '../../api/resource.ts'
import { senseJobs } from './evaluate.ts'
import { senseEvents } from './events.ts'
import { noteData } from './heard.ts'
import { senseOperations } from './operations.ts'

export const senseResource: Resource = {
  name: 'sense',
  operations: senseOperations,
  events: senseEvents,
  jobs: senseJobs,
  onEvent: noteData,
}
