import * as z from 'zod'
import { text } from '../api/fields.ts'
import { instant, schema } from '../api/schema.ts'
import { table } from '../storage/table.ts'
import { type Organisation, organisationId } from '../world/organisation.ts'
import { NAME } from './fields.ts'
import { managed } from './operation.ts'

/** The new name of the organisation. */
const organisations = table(
  'organisations',
  () => z.object({ id: z.string(), name: z.string() }),
  ({ id }) => id,
)

const ManagedOrganisation = schema('ManagedOrganisation', () => ({
  id: z.uuid(),
  name: z.string(),
  expires_at: instant().nullable(),
}))

const OrganisationUpdate = schema('ManagedOrganisationUpdate', () => ({ name: text().regex(NAME) }))

const present = ({ db }: Organisation) => ({
  id: organisationId,
  name: db.find(organisations, organisationId)?.name ?? 'Petri',
  expires_at: null,
})

export const organisationOperations = [
  managed({
    id: 'get_org',
    route: 'GET /v1/org/{org_id}',
    summary: 'Get the organisation, whose teams are the worlds',
    returns: ManagedOrganisation,
    run: (_world, _input, { organisation }) => present(organisation),
  }),
  managed({
    id: 'update_org',
    route: 'PATCH /v1/org/{org_id}',
    summary: 'Rename the organisation',
    adminsOnly: true,
    body: OrganisationUpdate,
    returns: ManagedOrganisation,
    async run(_, { body: { name } }, { organisation }) {
      await organisation.change((db) => db.put(organisations, { id: organisationId, name }))
      return present(organisation)
    },
  }),
]
