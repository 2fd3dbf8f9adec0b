import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { PortalAccess, PortalInput, PortalQuery } from './schema.ts'
import { createPortalUrl, portalPage } from './service.ts'
import { portalPasses } from './table.ts'

const portalOperations = [
  operation({
    id: 'user_create_portal_url',
    route: 'POST /v2/user/{user_id}/create_portal_url',
    summary: "Create a URL of the user's own page",
    body: PortalInput,
    returns: PortalAccess,
    run: (world, { params, body }) => createPortalUrl(world, params.user_id, body),
  }),
  operation({
    id: 'petri_portal_page',
    route: 'GET /portal',
    tag: 'user',
    access: 'link_token',
    produces: 'text/html',
    summary: "A user's own page",
    query: PortalQuery,
    run: (world, { query }) => portalPage(world, query.token),
  }),
]

export const portalResource: Resource = {
  name: 'portal',
  operations: portalOperations,
  tables: [portalPasses],
}
