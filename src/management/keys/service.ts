import { createHash, timingSafeEqual } from 'node:crypto'
import type { Manager } from '../../api/credentials.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62, createRandom } from '../../kernel/random.ts'
import type { Database } from '../../storage/database.ts'
import { boundTeams, type ManagementParts, toBindings } from '../parts.ts'
import type { ManagementKey, ManagementKeyInput, ManagementKeyPatch, ManagementKeyQuery } from './schema.ts'
import { type KeyRow, keysMade, managementKeys } from './table.ts'

type Presented = Parsed<typeof ManagementKey>

/** The manager of a key. Compares with every key in constant time. */
export function managerOf(
  { worlds, firstKey }: Pick<ManagementParts, 'worlds' | 'firstKey'>,
  key: string,
  isWellKnown: boolean,
): Manager | undefined {
  const given = digestOf(key)
  let manager: Manager | undefined
  if (firstKey !== undefined && timingSafeEqual(given, digestOf(firstKey))) {
    manager = { role: 'org_admin', teamIds: null, isWellKnown }
  }
  for (const { digest, role, team_ids } of worlds.organisation.db.all(managementKeys)) {
    if (timingSafeEqual(given, Buffer.from(digest, 'base64'))) {
      // Generated keys are derived from the first key, so whoever knows that one can compute them.
      manager = { role, teamIds: team_ids, isWellKnown }
    }
  }
  return manager
}

const digestOf = (key: string) => createHash('sha256').update(key).digest()

export const listKeys = (
  parts: ManagementParts,
  { role, team_id }: Parsed<typeof ManagementKeyQuery>,
): Presented[] =>
  [...firstKeyOf(parts), ...[...parts.worlds.organisation.db.all(managementKeys)].map(present)]
    .filter((key) => !role || key.role === role)
    .filter((key) => !team_id || key.team_role_bindings?.some((binding) => binding.team_id === team_id))

/** A key of the role `team_admin` is bound to teams; one of the role `org_admin` manages them all. */
export async function makeKey(
  parts: ManagementParts,
  { label, role, team_role_bindings }: Parsed<typeof ManagementKeyInput>,
) {
  const teamIds = role === 'org_admin' ? null : boundTeams(parts, team_role_bindings ?? [])
  return parts.worlds.organisation.change((db) => {
    const made = (db.find(keysMade, 'keys')?.made ?? 0) + 1
    const random = createRandom(`petri/management-keys/${parts.firstKey}`)
    const key = `mg_${random.letters(`value/${made}`, BASE62, 32)}`
    db.put(keysMade, { id: 'keys', made })
    const row = db.put(managementKeys, {
      id: random.uuid(`id/${made}`),
      label,
      role,
      team_ids: teamIds,
      created_at: parts.wall(),
      digest: digestOf(key).toString('base64'),
    })
    return { ...present(row), key }
  })
}

export function changeKey(
  parts: ManagementParts,
  id: string,
  { label, team_role_bindings }: Parsed<typeof ManagementKeyPatch>,
): Promise<Presented> {
  assertNotFirstKey(parts, id)
  const { organisation } = parts.worlds
  const row = organisation.db.find(managementKeys, id)
  if (!row) throw new Problem('not_found', 'Management key not found')
  if (team_role_bindings && row.role === 'org_admin') {
    throw new Problem('bad_request', 'A management key with the role org_admin cannot be bound to teams.')
  }
  const teamIds = team_role_bindings ? boundTeams(parts, team_role_bindings) : row.team_ids
  return organisation.change((db) =>
    present(db.put(managementKeys, { ...row, label: label ?? row.label, team_ids: teamIds })),
  )
}

/** Deletes a key and returns it; null for an unknown id. */
export async function removeKey(parts: ManagementParts, id: string): Promise<Presented | null> {
  assertNotFirstKey(parts, id)
  const { organisation } = parts.worlds
  const row = organisation.db.find(managementKeys, id)
  if (!row) return null
  return organisation.change((db: Database) => {
    db.delete(managementKeys, id)
    return present(row)
  })
}

function assertNotFirstKey(parts: ManagementParts, id: string): void {
  if (firstKeyOf(parts).some((key) => key.id === id)) {
    throw new Problem('bad_request', 'This key comes from the settings of Petri and cannot be changed.')
  }
}

const present = ({ id, label, role, team_ids, created_at }: KeyRow): Presented => ({
  id,
  label,
  created_at: toWire(created_at),
  creator: { type: 'management_key' },
  role,
  team_role_bindings: toBindings(team_ids),
})

/** The key from the settings, as an answer. */
function firstKeyOf({ firstKey, worlds, wall }: ManagementParts): Presented[] {
  if (firstKey === undefined) return []
  const [first] = worlds.all()
  return [
    {
      id: createRandom('petri/management-keys').uuid('first'),
      label: 'Petri',
      created_at: toWire(first?.identity.createdAt ?? wall()),
      creator: { type: 'vital_staff' },
      role: 'org_admin',
      team_role_bindings: null,
    },
  ]
}
