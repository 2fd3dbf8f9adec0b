import type { Job, JobKind } from '../scheduler/job.ts'
import type { AnyTable } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { AnyOperation } from './operation.ts'
import type { LazySchema } from './schema.ts'

/** An event type of the service: its name, and the schema of its `data`. */
export interface EventType {
  readonly name: string
  readonly data: LazySchema
}

/** Kinds of jobs and how they run, by name. */
export type JobKinds = Readonly<
  Record<string, JobKind & { run(world: World, job: Job, others: readonly Job[]): void | Promise<void> }>
>

/** A folder under `resources/`, as other layers see it. */
export interface Resource {
  readonly name: string
  readonly operations: readonly AnyOperation[]
  readonly events?: readonly EventType[]
  readonly jobs?: JobKinds
  /** All tables it declares. */
  readonly tables?: readonly AnyTable[]
}
