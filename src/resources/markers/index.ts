import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { Marker, MarkerAccount, MarkerPage, MarkerPath, MarkerQuery } from './schema.ts'
import { getMarker, listMarkers, presentMarker } from './service.ts'

const markerOperations = [
  operation({
    id: 'lab_tests_get_markers',
    route: 'GET /v3/lab_tests/markers',
    summary: 'List the markers that can be ordered',
    query: MarkerQuery,
    returns: MarkerPage,
    run: (world, { query }) => listMarkers(world, query),
  }),
  operation({
    id: 'lab_tests_get_markers_by_lab_and_provider_id',
    route: 'GET /v3/lab_tests/{lab_id}/markers/{provider_id}',
    summary: "Get a marker by its laboratory's order code",
    params: MarkerPath,
    query: MarkerAccount,
    returns: Marker,
    run: (world, { params, query }) =>
      presentMarker(getMarker(world, params.lab_id, params.provider_id, query.lab_account_id)),
  }),
]

export const markerResource: Resource = { name: 'markers', operations: markerOperations }
