import * as z from 'zod'
import { operation } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { Device } from '../connections/schema.ts'
import { listDevices } from '../connections/service.ts'
import { DevicePath, UserPath } from './schema.ts'
import { getUser } from './service.ts'

const Devices = unnamed(() => z.array(Device()))

export const deviceOperations = [
  operation({
    id: 'user_get_devices',
    route: 'GET /v2/user/{user_id}/device',
    summary: "List the devices a user's data come from",
    params: UserPath,
    returns: Devices,
    run(world, { params }) {
      getUser(world, params.user_id)
      return listDevices(world, params.user_id)
    },
  }),
  operation({
    id: 'user_get_device',
    route: 'GET /v2/user/{user_id}/device/{device_id}',
    summary: "Get a device a user's data come from",
    params: DevicePath,
    returns: Device,
    run(world, { params }) {
      getUser(world, params.user_id)
      const device = listDevices(world, params.user_id).find(({ id }) => id === params.device_id)
      if (!device) throw new Problem('not_found', 'Device not found')
      return device
    },
  }),
]
