import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { ProviderList, ProviderQuery } from './schema.ts'
import { listProviders } from './service.ts'

const providerOperations = [
  operation({
    id: 'providers_get_all',
    route: 'GET /v2/providers',
    takesUserToken: true,
    summary: 'List the providers a user can be connected to',
    query: ProviderQuery,
    returns: ProviderList,
    run: (world, { query }) => listProviders(world, query.source_type),
  }),
]

export const providerResource: Resource = { name: 'providers', operations: providerOperations }
