import { operation } from '../../api/operation.ts'
import { organisationId } from '../../world/organisation.ts'
import type { ManagementParts } from '../parts.ts'
import { Organisation, OrganisationPath, OrganisationUpdate } from './schema.ts'
import { organisations } from './table.ts'

export const organisationOperations = ({ worlds: { organisation } }: ManagementParts) => {
  const present = () => ({
    id: organisationId,
    name: organisation.db.find(organisations, organisationId)?.name ?? 'Petri',
    expires_at: null,
  })
  return [
    operation({
      id: 'get_org',
      route: 'GET /v1/org/{org_id}',
      summary: 'Get the organisation, of which every world is a team',
      params: OrganisationPath,
      returns: Organisation,
      run: present,
    }),
    operation({
      id: 'update_org',
      route: 'PATCH /v1/org/{org_id}',
      summary: 'Rename the organisation',
      params: OrganisationPath,
      body: OrganisationUpdate,
      returns: Organisation,
      async run(_, { body: { name } }) {
        await organisation.change((db) => db.put(organisations, { id: organisationId, name }))
        return present()
      },
    }),
  ]
}
