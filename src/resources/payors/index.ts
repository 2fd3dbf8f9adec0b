import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { NewPayor, Payor, PayorList, PayorQuery, PayorSearch } from './schema.ts'
import { createPayor, searchPayors } from './service.ts'
import { payors } from './table.ts'

const payorOperations = [
  operation({
    id: 'insurance_search_get_payor_info',
    route: 'GET /v3/insurance/search/payor',
    summary: 'Search payors',
    query: PayorQuery,
    returns: PayorList,
    run: (world, { query: { insurance_name: name, provider, provider_payor_id: providerPayorId } }) =>
      searchPayors(world, { name, provider, providerPayorId }),
  }),
  operation({
    id: 'insurance_search_payor_info',
    route: 'POST /v3/insurance/search/payor',
    summary: 'Search payors, the older form',
    body: PayorSearch,
    returns: PayorList,
    deprecated: true,
    run: (world, { body: { insurance_name: name, provider, provider_id: providerPayorId } }) =>
      searchPayors(world, { name, provider, providerPayorId }),
  }),
  operation({
    id: 'payor_create_payor',
    route: 'POST /v3/payor',
    summary: 'Add a payor that only your team sees',
    body: NewPayor,
    returns: Payor,
    run: (world, { body }) => createPayor(world, body),
  }),
]

export const payorResource: Resource = { name: 'payors', operations: payorOperations, tables: [payors] }
