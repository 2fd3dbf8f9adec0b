import * as z from 'zod'
import { operation } from '../../api/operation.ts'
import { type LazySchema, type Parsed, unnamed } from '../../api/schema.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { WindowQuery } from '../timeseries/schema.ts'
import { getUser } from '../users/service.ts'
import { type Summary, summaryTable } from './catalogue.ts'
import { rawDevices, rawOf, rawProfile } from './raw.ts'
import {
  DateQuery,
  Profile,
  ProviderOnlyQuery,
  RawDevices,
  RawProfile,
  rawItems,
  SleepStream,
  WorkoutStream,
} from './schema.ts'
import { getProfile, readSummaries } from './service.ts'
import { getSleepStream, getWorkoutStream } from './streams.ts'

type Wrapped = Record<string, unknown[]>

const listed = summaryTable.filter(({ key }) => key !== null)

const listUnder = (key: string, item: LazySchema) =>
  unnamed(() => z.object({ [key]: z.array(item()) }) as unknown as z.ZodType<Wrapped>)

/** The instants of a window that is given as instants or as dates. */
const toWindow = ({
  start_date,
  end_date,
  provider,
}: Parsed<typeof DateQuery> | Parsed<typeof WindowQuery>): Parsed<typeof WindowQuery> => ({
  start_date: typeof start_date === 'string' ? Date.parse(start_date) : start_date,
  end_date: typeof end_date === 'string' ? Date.parse(end_date) + DAY_MS - SECOND_MS : end_date,
  provider,
})

const lists = listed.map((summary) => {
  const { resource, schema, onlyDates, assumes = [] } = summary
  const key = String(summary.key)
  return operation({
    id: `${resource}_get`,
    route: `GET /v2/summary/${resource}/{user_id}` as const,
    takesUserToken: true,
    summary: `List ${key.replace('_', ' ')} summaries`,
    assumes,
    query: onlyDates ? DateQuery : WindowQuery,
    returns: listUnder(key, schema),
    async run(world, { params, query }) {
      const found = await runInSlices(readSummaries(world, summary, params.user_id, toWindow(query)))
      return { [key]: found.map(({ item }) => item) }
    },
  })
})

const rawLists = listed
  .filter((summary): summary is Summary & { resource: keyof typeof rawItems } => summary.hasRaw === true)
  .map((summary) => {
    const name = String(summary.key)
    return operation({
      id: `${summary.resource}_get_raw`,
      route: `GET /v2/summary/${summary.resource}/{user_id}/raw`,
      takesUserToken: true,
      summary: `List ${name} as their providers sent them`,
      query: WindowQuery,
      returns: listUnder(name, rawItems[summary.resource]),
      async run(world, { params, query }) {
        const found = await runInSlices(readSummaries(world, summary, params.user_id, query))
        return { [name]: found.map((dated) => rawOf(world, dated)) }
      },
    })
  })

const single = [
  operation({
    id: 'profile_get',
    route: 'GET /v2/summary/profile/{user_id}',
    takesUserToken: true,
    summary: "Get a user's profile at a provider",
    query: ProviderOnlyQuery,
    returns: Profile as unknown as () => z.ZodType<unknown>,
    run: (world, { params, query }) => getProfile(world, params.user_id, query.provider).item,
  }),
  operation({
    id: 'profile_get_raw',
    route: 'GET /v2/summary/profile/{user_id}/raw',
    summary: 'Get a profile as its provider sent it',
    query: ProviderOnlyQuery,
    returns: RawProfile as unknown as () => z.ZodType<unknown>,
    run: (world, { params, query }) => rawProfile(world, getProfile(world, params.user_id, query.provider)),
  }),
  operation({
    id: 'devices_get_raw',
    route: 'GET /v2/summary/devices/{user_id}/raw',
    summary: "List a user's devices as their providers sent them",
    query: ProviderOnlyQuery,
    returns: RawDevices,
    run(world, { params, query }) {
      getUser(world, params.user_id)
      return { devices: rawDevices(world, params.user_id, query.provider) }
    },
  }),
]

const streams = [
  operation({
    id: 'workouts_get_by_workout_id',
    route: 'GET /v2/timeseries/workouts/{workout_id}/stream',
    takesUserToken: true,
    summary: 'Get the stream of a workout',
    returns: WorkoutStream,
    run: (world, { params }, { userId }) => getWorkoutStream(world, params.workout_id, userId),
  }),
  operation({
    id: 'sleep_get_stream_by_sleep_id',
    route: 'GET /v2/timeseries/sleep/{sleep_id}/stream',
    summary: 'Get the stream of a night',
    returns: SleepStream,
    deprecated: true,
    run: (world, { params }) => getSleepStream(world, params.sleep_id),
  }),
]

export const summaryOperations = [...lists, ...rawLists, ...single, ...streams]
