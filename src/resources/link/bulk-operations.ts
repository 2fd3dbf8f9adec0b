import { operation, withStatus } from '../../api/operation.ts'
import { beginImport, beginPull, exportConnections, listBulkOps, pauseAll } from './bulk.ts'
import {
  BulkExport,
  BulkExported,
  BulkImport,
  BulkImported,
  BulkOps,
  BulkOpsQuery,
  BulkPause,
  BulkPull,
  Nothing,
} from './schema.ts'

export const bulkLinkOperations = [
  operation({
    id: 'link_bulk_import',
    route: 'POST /v2/link/bulk_import',
    summary: 'Import connections',
    body: BulkImport,
    returns: BulkImported,
    alsoReturns: { 202: BulkImported },
    async run(world, { body }) {
      const imported = await beginImport(world, body)
      return body.wait_for_completion ? imported : withStatus(202, imported)
    },
  }),
  operation({
    id: 'link_bulk_trigger_historical_pull',
    route: 'POST /v2/link/bulk_trigger_historical_pull',
    summary: 'Fetch the history of many connections again',
    body: BulkPull,
    returns: Nothing,
    alsoReturns: { 202: Nothing },
    async run(world, { body }) {
      await beginPull(world, body)
      return body.wait_for_completion ? null : withStatus(202, null)
    },
  }),
  operation({
    id: 'link_bulk_export',
    route: 'POST /v2/link/bulk_export',
    summary: 'Export connections',
    body: BulkExport,
    returns: BulkExported,
    run: (world, { body }) => exportConnections(world, body),
  }),
  operation({
    id: 'link_bulk_pause',
    route: 'POST /v2/link/bulk_pause',
    summary: 'Pause many connections',
    body: BulkPause,
    returns: Nothing,
    async run(world, { body }) {
      await pauseAll(world, body)
      return null
    },
  }),
  operation({
    id: 'link_list_bulk_ops',
    route: 'GET /v2/link/bulk_op',
    summary: 'List the bulk operations, newest first',
    query: BulkOpsQuery,
    returns: BulkOps,
    run: (world, { query }) => listBulkOps(world, query),
  }),
]
