import type { EventType } from '../../api/resource.ts'
import type { World } from '../../world/world.ts'
import { eventSubject } from '../users/service.ts'
import { ParsingJob } from './schema.ts'
import type { ParsingJobRow } from './table.ts'

export const parserEvents: readonly EventType[] = [
  { name: 'lab_report.parsing_job.created', data: ParsingJob },
  { name: 'lab_report.parsing_job.updated', data: ParsingJob },
]

export function announceJob(world: World, row: ParsingJobRow, what: 'created' | 'updated'): void {
  world.emit(`lab_report.parsing_job.${what}`, eventSubject(world, row.user_id), presentJob(row))
}

/** A job as the wire shows it. */
export const presentJob = ({ user_id: _, outcome: __, ...job }: ParsingJobRow) => job
