import type { LazySchema } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import type { Connection } from '../connections/table.ts'
import { activityOf, activityOutline } from './activity.ts'
import { beginsCycle, menstrualCyclesOf } from './cycles.ts'
import type { Item, Make, Origin } from './making.ts'
import { mealsOf } from './meals.ts'
import { bodyOf, dateOfFirstConnection, electrocardiogramsOf, profilesOf } from './measurements.ts'
import * as schemas from './schema.ts'
import { sleepCyclesOf, sleepOutline, sleepsOf } from './sleep.ts'
import { workoutOutline, workoutStreamsOf, workoutsOf } from './workouts.ts'

/** The properties of a summary. */
export interface Summary extends Origin {
  readonly schema: LazySchema
  /** The key of the list in a response; null for those without a list. */
  readonly key: string | null
  /** Whether bounds are dates alone. */
  readonly onlyDates?: true
  /** See `assumes` of operations. */
  readonly assumes?: readonly string[]
  /** Whether the raw form has a route, too. */
  readonly hasRaw?: true
  readonly make: Make
  /** Like `make`, but only with the ids and beginnings, which is faster. */
  readonly outline?: Make
  readonly idOf: (item: Item) => string
  /** The number of following days on which a summary may still change. */
  readonly changesFor: number
  /** The only possible local date, if there is one. */
  readonly onlyOn?: (connection: Connection) => string
  /** Whether a local date may have a summary; each may by default. */
  readonly mayBeOn?: (world: World, connection: Connection, date: string) => boolean
}

const usual = { idOf: (item: Item) => String(item.id), changesFor: 0 }

const naps =
  'Garmin records naps from 15 minutes, Samsung and Ultrahuman from 20, Google Health from an hour.'

/** One line for each summary. Source: docs/contract/health-data.md#summaries, docs/contract/webhooks.md#events. */
// biome-ignore format: a table is read by its columns.
const rows: readonly (Omit<Summary, keyof typeof usual> & Partial<Summary>)[] = [
  { resource: 'profile', schema: schemas.Profile, key: null, make: profilesOf, onlyOn: dateOfFirstConnection },
  { resource: 'activity', schema: schemas.Activity, key: 'activity', hasRaw: true, make: activityOf, outline: activityOutline },
  { resource: 'sleep', schema: schemas.Sleep, key: 'sleep', assumes: [naps], hasRaw: true, make: sleepsOf, outline: sleepOutline },
  { resource: 'sleep_cycle', schema: schemas.SleepCycle, key: 'sleep_cycle', onlyDates: true, make: sleepCyclesOf },
  { resource: 'body', from: ['scale', 'app'], schema: schemas.Body, key: 'body', hasRaw: true, make: bodyOf },
  { resource: 'workouts', schema: schemas.Workout, key: 'workouts', hasRaw: true, make: workoutsOf, outline: workoutOutline },
  { resource: 'workout_stream', schema: schemas.WorkoutStreamNotice, key: null, make: workoutStreamsOf, idOf: (item) => String(item.workout_id) },
  { resource: 'meal', from: ['app'], schema: schemas.Meal, key: 'meals', make: mealsOf },
  { resource: 'electrocardiogram', from: ['watch'], schema: schemas.Electrocardiogram, key: 'electrocardiogram', onlyDates: true, make: electrocardiogramsOf },
  { resource: 'menstrual_cycle', from: ['app'], schema: schemas.MenstrualCycle, key: 'menstrual_cycle', onlyDates: true, make: menstrualCyclesOf, changesFor: 32, mayBeOn: beginsCycle },
]

export const summaryTable: readonly Summary[] = rows.map((row) => ({ ...usual, ...row }))

export const findSummary = (resource: string): Summary | undefined =>
  summaryTable.find((line) => line.resource === resource)

/** The summary with a stored name. Throws for an unknown one, which is a bug. */
export function getSummary(resource: string): Summary {
  const summary = findSummary(resource)
  if (!summary) throw new Error(`no summary ${resource}`)
  return summary
}
