import * as z from 'zod'
import { assertSandbox } from '../../api/features.ts'
import { operation, withStatus } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { orNotFound } from '../../kernel/problem.ts'
import {
  ConnectedProviders,
  ConnectionPath,
  DemoConnection,
  DemoConnectionStatus,
  Device,
  NotRefreshed,
  Refreshed,
  RefreshQuery,
} from '../connections/schema.ts'
import { Success } from '../users/schema.ts'
import { getUser } from '../users/service.ts'
import { refreshUser } from './refresh.ts'
import { connectDemo, disconnect, listConnected, listDevices } from './service.ts'

const Devices = unnamed(() => z.array(Device()))

export const connectionOperations = [
  operation({
    id: 'link_connect_demo_provider',
    route: 'POST /v2/link/connect/demo',
    summary: 'Connect a user to a provider with made-up data',
    body: DemoConnection,
    returns: DemoConnectionStatus,
    async run(world, { body }, { scenario }) {
      assertSandbox(world)
      await world.services.feedScenarios.prepare(world, body.user_id, scenario)
      connectDemo(world, body.user_id, body.provider, scenario)
      return { success: true, detail: `Connected user ${body.user_id} to provider ${body.provider}` }
    },
  }),
  operation({
    id: 'user_get_connected_providers',
    route: 'GET /v2/user/providers/{user_id}',
    takesUserToken: true,
    summary: 'List the providers a user is connected to',
    returns: ConnectedProviders,
    run: (world, { params }) => listConnected(world, params.user_id),
  }),
  operation({
    id: 'user_deregister_provider',
    route: 'DELETE /v2/user/{user_id}/{provider}',
    takesUserToken: true,
    summary: 'Disconnect a user from a provider',
    params: ConnectionPath,
    returns: Success,
    run(world, { params }) {
      disconnect(world, params.user_id, params.provider)
      return { success: true }
    },
  }),
  operation({
    id: 'user_refresh',
    route: 'POST /v2/user/refresh/{user_id}',
    takesUserToken: true,
    summary: "Refresh a user's data, at most eight times an hour",
    query: RefreshQuery,
    returns: Refreshed,
    alsoReturns: { 202: Refreshed, 400: NotRefreshed },
    run(world, { params }) {
      const refreshed = refreshUser(world, params.user_id)
      return refreshed.in_progress_sources.length > 0 ? withStatus(202, refreshed) : refreshed
    },
  }),
  operation({
    id: 'user_get_devices',
    route: 'GET /v2/user/{user_id}/device',
    summary: "List the devices a user's data come from",
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
    returns: Device,
    run(world, { params }) {
      getUser(world, params.user_id)
      return orNotFound(
        listDevices(world, params.user_id).find(({ id }) => id === params.device_id),
        'Device not found',
      )
    },
  }),
]
