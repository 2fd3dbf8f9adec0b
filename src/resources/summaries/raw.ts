import { omit } from '../../kernel/fields.ts'
import type { World } from '../../world/world.ts'
import { devices } from '../connections/table.ts'
import { findProvider, providerName } from '../providers/service.ts'
import type { Dated } from './service.ts'

/** The minimum time of the database. */
const NEVER = '0001-01-01T00:00:00Z'

/** The raw form of providers is not known, so it is the service's own form without the fields the service adds. */
const added = [
  'id',
  'user_id',
  'user_key',
  'source',
  'created_at',
  'updated_at',
  'provider_id',
  'sleep_stream',
]

/** A summary as its provider sent it. Source: docs/contract/health-data.md#summaries. */
export function rawOf(world: World, { item, provider, date }: Dated) {
  const data = Object.fromEntries(Object.entries(item).filter(([name]) => !added.includes(name)))
  const { sport } = item as { sport?: { readonly id: number } }
  return {
    timestamp: item.time_start ?? item.bedtime_start ?? `${date}T00:00:00+00:00`,
    data,
    user_id: item.user_id,
    provider_id: item.provider_id ?? item.id,
    source_id: findProvider(provider)?.source_id ?? 0,
    priority_id: 1,
    id: item.id,
    source_device_id: null,
    created_at: NEVER,
    updated_at: NEVER,
    source: providerName(world, provider),
    sport_id: sport?.id,
    sport,
  }
}

export function rawProfile(world: World, dated: Dated) {
  return { profile: omit(rawOf(world, dated), 'timestamp', 'provider_id', 'source_device_id') }
}

/** The devices of a user's data, as their providers sent them. */
export const rawDevices = (world: World, userId: string, provider: string) =>
  world.db
    .by(devices, 'user', userId)
    .filter((device) => provider === '' || device.provider === provider)
    .map((device) => ({
      data: {
        manufacturer: device.device_manufacturer,
        model: device.device_model,
        version: device.device_version,
        type: device.source_type,
      },
      provider_id: device.device_id ?? device.id,
      user_id: userId,
      source_id: findProvider(device.provider)?.source_id ?? 0,
      id: device.id,
      source: providerName(world, device.provider),
    }))
