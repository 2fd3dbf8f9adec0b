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

/** Notes the device data come from, and tells of it when it is the first time. */
export function noteDevice(world: World, { user_id, provider }: Connection): void {
  const known = findProvider(provider)
  const type = known?.source_types.find((one) => models[one])
  if (!known || !type) return
  const id = deviceId(world, user_id, provider, type)
  if (world.db.has(devices, id)) return
  const device = world.db.put(devices, {
    ...{ id, user_id, provider, source_type: type },
    app_id: null,
    device_manufacturer: known.name,
    device_model: models[type] ?? null,
    device_version: '1.0',
    device_id: world.random.letters(`device/serial/${id}`, '0123456789ABCDEF', 12),
  })
  world.emit('provider.device.created', eventSubject(world, user_id), device)
}

/** Changes what is known of a device, and tells of it when it did change. */
export function changeDevice(
  world: World,
  id: string,
  change: Partial<Pick<Device, 'device_model' | 'device_version' | 'device_manufacturer' | 'app_id'>>,
): Device {
  const device = world.db.get(devices, id)
  const changed = { ...device, ...change }
  if (JSON.stringify(changed) === JSON.stringify(device)) return device
  world.db.put(devices, changed)
  world.emit('provider.device.updated', eventSubject(world, device.user_id), changed)
  return changed
}

/** A user's devices, the longest known first. */
export const listDevices = (world: World, userId: string): Device[] => world.db.by(devices, 'user', userId)
