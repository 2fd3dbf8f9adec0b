import { hash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { type Manager, managerRoles } from '../api/credentials.ts'
import { maybe, oneOf, text, uuid } from '../api/fields.ts'
import { pageOf } from '../api/pagination.ts'
import { instant, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { toWire } from '../kernel/instant.ts'
import { badRequest } from '../kernel/problem.ts'
import { BASE62, createRandom } from '../kernel/random.ts'
import { instantMs, type RowOf, table } from '../storage/table.ts'
import { collection, nextOf } from './collection.ts'
import { Creator, TeamBinding, TeamBindingInput } from './fields.ts'
import { type Management, managed } from './operation.ts'
import { boundTeams, ofTeams, toBindings } from './teams-of-key.ts'

/** A management key; only its digest is stored. */
export const keyRows = table(
  'management_keys',
  () =>
    z.object({
      id: z.string(),
      label: z.string(),
      role: z.enum(managerRoles),
      /** Null for every team. */
      team_ids: texts().nullable(),
      /** By the clock of the first world. */
      created_at: instantMs(),
      /** SHA-256 of the key, Base64. */
      digest: z.string(),
    }),
  ({ id }) => id,
  ofTeams,
)
type KeyRow = RowOf<typeof keyRows>
const keys = collection(keyRows, 'Management key not found')

const ManagementKey = schema('ManagementKey', () => ({
  id: z.uuid(),
  label: z.string(),
  created_at: instant(),
  creator: Creator(),
  role: z.enum(managerRoles),
  team_role_bindings: z.array(TeamBinding()).nullable(),
}))

const NewManagementKey = schema('NewManagementKey', () => ManagementKey().extend({ key: z.string() }))
const ManagementKeyList = schema('ManagementKeyList', () => pageOf(ManagementKey()))

const ManagementKeyQuery = unnamed(() => ({ role: maybe(oneOf(managerRoles)), team_id: maybe(uuid()) }))

const ManagementKeyInput = schema('ManagementKeyInput', () => ({
  label: text(),
  role: oneOf(managerRoles),
  team_role_bindings: maybe(z.array(TeamBindingInput())),
}))

const ManagementKeyPatch = schema('ManagementKeyPatch', () => ({
  label: maybe(text()),
  team_role_bindings: maybe(z.array(TeamBindingInput())),
}))

export const keyOperations = [
  managed({
    id: 'list_management_key',
    route: 'GET /v1/org/{org_id}/management_key',
    summary: 'List the management keys',
    adminsOnly: true,
    query: ManagementKeyQuery,
    returns: ManagementKeyList,
    run(_, { query: { role, team_id } }, management) {
      const data = [...firstKeyOf(management), ...keys.list(management.organisation).map(present)]
        .filter((key) => !role || key.role === role)
        .filter((key) => !team_id || key.team_role_bindings?.some((binding) => binding.team_id === team_id))
      return { data, next_cursor: null }
    },
  }),
  managed({
    id: 'create_management_key',
    route: 'POST /v1/org/{org_id}/management_key',
    summary: 'Create a management key; it is shown only once',
    adminsOnly: true,
    body: ManagementKeyInput,
    returns: NewManagementKey,
    run(_, { body: { label, role, team_role_bindings } }, { worlds, organisation, firstKey, now }) {
      // A key of the role `team_admin` is bound to teams; one of the role `org_admin` manages them all.
      const team_ids = role === 'org_admin' ? null : boundTeams(worlds, team_role_bindings)
      return organisation.change((db) => {
        const { ordinal } = nextOf(db, 'management_key')
        const random = createRandom(`petri/management-keys/${firstKey}`)
        const key = `mg_${random.letters(`value/${ordinal}`, BASE62, 32)}`
        const row = db.put(keyRows, {
          id: random.uuid(`id/${ordinal}`),
          label,
          role,
          team_ids,
          created_at: now(),
          digest: hash('sha256', key, 'base64'),
        })
        return { ...present(row), key }
      })
    },
  }),
  managed({
    id: 'patch_management_key',
    route: 'PATCH /v1/org/{org_id}/management_key/{key_id}',
    summary: 'Rename a management key, or bind it to other teams',
    adminsOnly: true,
    body: ManagementKeyPatch,
    returns: ManagementKey,
    async run(_, { params: { key_id }, body: { label, team_role_bindings } }, management) {
      assertNotFirstKey(management, key_id)
      const row = await keys.update(management.organisation, key_id, (known) => {
        if (team_role_bindings && known.role === 'org_admin') {
          throw badRequest('A management key with the role org_admin cannot be bound to teams.')
        }
        return {
          ...known,
          label: label ?? known.label,
          team_ids: team_role_bindings ? boundTeams(management.worlds, team_role_bindings) : known.team_ids,
        }
      })
      return present(row)
    },
  }),
  managed({
    id: 'remove_management_key',
    route: 'DELETE /v1/org/{org_id}/management_key/{key_id}',
    summary: 'Delete a management key',
    adminsOnly: true,
    returns: unnamed(() => ManagementKey().nullable()),
    run(_, { params: { key_id } }, management) {
      assertNotFirstKey(management, key_id)
      return management.organisation.change((db) => {
        const row = db.find(keyRows, key_id)
        db.delete(keyRows, key_id)
        return row ? present(row) : null
      })
    },
  }),
]

/** The manager of a key. Compares with every key in constant time. */
export function managerOf(
  { worlds, firstKey }: Pick<Management, 'worlds' | 'firstKey'>,
  key: string,
  { isWellKnown, isAnyKeyOpen = false }: { isWellKnown: boolean; isAnyKeyOpen?: boolean | undefined },
): Manager | undefined {
  const given = digestOf(key)
  const isAnyOpen = isWellKnown && isAnyKeyOpen
  let manager: Manager | undefined
  if (isAnyOpen || (firstKey !== undefined && timingSafeEqual(given, digestOf(firstKey)))) {
    manager = { role: 'org_admin', teamIds: null, isWellKnown, takesAnyOrganisation: isAnyOpen }
  }
  for (const { digest, role, team_ids } of keys.list(worlds.organisation)) {
    if (timingSafeEqual(given, Buffer.from(digest, 'base64'))) {
      // Generated keys are derived from the first key, so anyone who knows that one can compute them.
      manager = { role, teamIds: team_ids, isWellKnown, takesAnyOrganisation: isAnyOpen }
    }
  }
  return manager
}

const digestOf = (key: string) => hash('sha256', key, 'buffer')

function assertNotFirstKey(management: Management, id: string): void {
  if (firstKeyOf(management).some((key) => key.id === id)) {
    throw badRequest('This key comes from the settings of Petri and cannot be changed.')
  }
}

const present = ({ id, label, role, team_ids, created_at }: KeyRow): Parsed<typeof ManagementKey> => ({
  id,
  label,
  created_at: toWire(created_at),
  creator: { type: 'management_key' },
  role,
  team_role_bindings: toBindings(team_ids),
})

/** The key from the settings as an item of the list; none without one. */
function firstKeyOf({ firstKey, worlds, now }: Management): Parsed<typeof ManagementKey>[] {
  if (firstKey === undefined) return []
  const [first] = worlds.all()
  return [
    {
      id: createRandom('petri/management-keys').uuid('first'),
      label: 'Petri',
      created_at: toWire(first?.identity.createdAt ?? now()),
      creator: { type: 'vital_staff' },
      role: 'org_admin',
      team_role_bindings: null,
    },
  ]
}
