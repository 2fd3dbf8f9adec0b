import { operation } from '../../contract/operation.ts'
import { MarkerPage, MarkerQuery } from './schema.ts'
import { listMarkers } from './service.ts'

export const markerOperations = [
  operation({
    id: 'lab_tests_get_markers',
    route: 'GET /v3/lab_tests/markers',
    tag: 'lab_tests',
    summary: 'List the markers that can be ordered',
    query: MarkerQuery,
    returns: MarkerPage,
    run: (world, { query }) => listMarkers(world, query),
  }),
]
