import type { World } from '../../world/world.ts'
import type { SourceType } from '../providers/schema.ts'
import { deviceId, findProvider } from '../providers/service.ts'
import { eventSubject } from '../users/service.ts'
import { type Connection, type Device, devices } from './table.ts'

/** The device name of a source type, if it is a device. */
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

/** The main device of a provider, if there is one. */
const usualType = (provider: string): SourceType | undefined =>
  findProvider(provider)?.source_types.find((one) => models[one])

/** Records the device of the data, and announces a new one. */
export function recordDevice(world: World, { user_id, provider }: Connection): void {
  const type = usualType(provider)
  if (type && !world.db.has(devices, deviceId(world, user_id, provider, type)))
    putDevice(world, user_id, provider, type, {})
}

/** The fields of a device that can change. */
export type DeviceChange = Partial<
  Pick<Device, 'app_id' | 'device_manufacturer' | 'device_model' | 'device_version' | 'device_id'>
>

/** Records a user's device, and announces it if it is new or has changed. */
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
