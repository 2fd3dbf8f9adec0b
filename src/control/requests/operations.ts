import { type AnyOperation, operation } from '../../api/operation.ts'
import { Request, RequestList, RequestPath, RequestQuery } from './schema.ts'
import { describeRequest, getRequest, listRequests } from './service.ts'

export const requestOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_requests_list',
    route: 'GET /_petri/requests',
    summary: "List the last calls of this world's clients, newest last, without calls of the control API",
    tool: {
      name: 'list_requests',
      description:
        'With unread=true only those with fields that nothing read, which are usually mistakes of the program under test',
    },
    query: RequestQuery,
    returns: RequestList,
    run: (world, { query }) => listRequests(world, query, mirrored()),
  }),
  operation({
    id: 'petri_requests_get',
    route: 'GET /_petri/requests/{request_id}',
    summary: 'Show one call by its x-request-id: request, response, ignored fields, and what it caused',
    tool: { name: 'get_request' },
    params: RequestPath,
    returns: Request,
    run: (world, { params }) => describeRequest(world, getRequest(world, params.request_id), mirrored()),
  }),
  operation({
    id: 'petri_requests_delete',
    route: 'DELETE /_petri/requests',
    summary: 'Delete all recorded calls',
    run: (world) => world.requests.clear(),
  }),
]
