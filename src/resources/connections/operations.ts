import { feature } from '../../api/features.ts'
import { operation } from '../../api/operation.ts'
import { feedScenariosOf } from '../../api/scenarios.ts'
import { Problem } from '../../kernel/problem.ts'
import { Success } from '../users/schema.ts'
import { ConnectedProviders, ConnectionPath, DemoConnection, DemoConnectionStatus } from './schema.ts'
import { connectDemo, disconnect, listConnected } from './service.ts'

export const connectionOperations = [
  operation({
    id: 'link_connect_demo_provider',
    route: 'POST /v2/link/connect/demo',
    summary: 'Connect a user to a provider with made-up data',
    body: DemoConnection,
    returns: DemoConnectionStatus,
    async run(world, { body }, { scenario }) {
      if (feature(world, 'parity') === 'production') throw new Problem('not_found', 'Not Found')
      await feedScenariosOf(world).prepare(world, body.user_id, scenario)
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
]
