import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { ProviderName } from '../users/schema.ts'
import { Sport } from './schema.ts'

const instant = () => z.iso.datetime({ offset: true })

const raw = () => ({
  timestamp: instant(),
  data: z.record(z.string(), z.unknown()),
  user_id: z.uuid(),
  provider_id: z.string().meta({ deprecated: true }),
  source_id: z.int().meta({ deprecated: true }),
  priority_id: z.int().nullable().meta({ deprecated: true }),
  id: z.uuid(),
  source_device_id: z.uuid().nullable(),
  created_at: instant(),
  updated_at: instant(),
  source: ProviderName(),
})

/** By resource, an item as the provider sent it. Source: contract/wearables.md §7.12. */
export const rawItems = {
  activity: schema('RawActivity', () =>
    z.object({ ...raw(), priority_id: z.int().meta({ deprecated: true }) }),
  ),
  workouts: schema('RawWorkout', () => z.object({ ...raw(), sport_id: z.int(), sport: Sport() })),
  sleep: schema('RawSleep', () =>
    z.object({ ...raw(), priority: z.int().nullable().optional().meta({ deprecated: true }) }),
  ),
  body: schema('RawBody', () =>
    z.object({ ...raw(), priority: z.int().nullable().optional().meta({ deprecated: true }) }),
  ),
} as const

export const RawProfile = schema('RawProfile', () =>
  z.object({
    profile: z.object({
      id: z.uuid(),
      data: z.record(z.string(), z.unknown()),
      user_id: z.uuid(),
      source_id: z.int().meta({ deprecated: true }),
      priority_id: z.int().nullable().optional().meta({ deprecated: true }),
      source: ProviderName(),
      created_at: instant(),
      updated_at: instant(),
    }),
  }),
)

export const RawDevices = schema('RawDevices', () =>
  z.object({
    devices: z.array(
      z.object({
        data: z.record(z.string(), z.unknown()),
        provider_id: z.string(),
        user_id: z.uuid(),
        source_id: z.int(),
        id: z.uuid(),
        source: ProviderName(),
      }),
    ),
  }),
)
