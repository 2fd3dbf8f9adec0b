import { operation } from '../../api/operation.ts'
import { Ids, IdsQuery } from './schema.ts'
import { findIds } from './service.ts'

export const idOperations = [
  operation({
    id: 'petri_ids',
    route: 'GET /_petri/ids',
    summary: 'The ids of this world that begin with a text, so that they need not be written out',
    query: IdsQuery,
    returns: Ids,
    run: (world, { query }) => findIds(world, query),
  }),
]
