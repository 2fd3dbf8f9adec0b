import type { World } from '../../world/world.ts'
import type { SourceType } from '../providers/schema.ts'
import { deviceId, findProvider } from '../providers/service.ts'
import { eventSubject } from '../users/service.ts'
import { type Connection, type Device, devices } from './table.ts'

/** What a kind of source is called, where it is a thing. */
const models: Partial<Record<SourceType, string>> = {
  watch: 'Watch',
  phone: 'Phone',
  ring: 'Ring',
  scale: 'Scale',
  cuff: 'Blood pressure cuff',
  automatic: 'Glucose sensor',
  fingerprick: 'Glucose meter',
  insulin_pump: 'Insulin pump',
  chest_strap: 'Chest strap',
  exercise_machine: 'Exercise machine',
}

/** The device most of a provider's data come from, where it is a thing. */
const usualType = (provider: string): SourceType | undefined =>
  findProvider(provider)?.source_types.find((one) => models[one])

/** Notes the device data come from, and tells of it when it is the first time. */
export function noteDevice(world: World, { user_id, provider }: Connection): void {
  const type = usualType(provider)
  if (type && !world.db.has(devices, deviceId(world, user_id, provider, type)))
    putDevice(world, user_id, provider, type, {})
}

/** What may change about a device. */
export type DeviceChange = Partial<
  Pick<Device, 'app_id' | 'device_manufacturer' | 'device_model' | 'device_version' | 'device_id'>
>

/** Notes what is known of a user's device; tells of it when it is new, and when something did change. */
export function putDevice(
  world: World,
  userId: string,
  provider: string,
  sourceType: SourceType | undefined,
  change: DeviceChange,
): { id: string; what: 'created' | 'updated' | null } {
  const source_type = sourceType ?? usualType(provider) ?? 'unknown'
  const id = deviceId(world, userId, provider, source_type)
  const known = world.db.find(devices, id)
  const device = { ...(known ?? newDevice(world, id, userId, provider, source_type)), ...change }
  if (known && JSON.stringify(known) === JSON.stringify(device)) return { id, what: null }
  const what = known ? 'updated' : 'created'
  world.db.put(devices, device)
  world.emit(`provider.device.${what}`, eventSubject(world, userId), device)
  return { id, what }
}

const newDevice = (
  world: World,
  id: string,
  user_id: string,
  provider: string,
  source_type: SourceType,
): Device => ({
  ...{ id, user_id, provider, source_type },
  app_id: null,
  device_manufacturer: findProvider(provider)?.name ?? null,
  device_model: models[source_type] ?? null,
  device_version: '1.0',
  device_id: world.random.letters(`device/serial/${id}`, '0123456789ABCDEF', 12),
})

/** A user's devices, the longest known first. */
export const listDevices = (world: World, userId: string): Device[] => world.db.by(devices, 'user', userId)
