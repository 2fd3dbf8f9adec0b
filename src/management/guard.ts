import type { AnyOperation } from '../api/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { organisationId } from '../world/organisation.ts'
import type { World } from '../world/world.ts'
import { assertEnvironment, type Environment, type ManagementParts, managerIn } from './parts.ts'

/** Operations that need the role `org_admin`, because they affect the whole organisation. */
const adminsOnly: ReadonlySet<string> = new Set([
  'create_integration_managed_member',
  'create_or_resend_invite_in_org',
  'create_org_domain',
  'delete_integration_managed_member',
  'delete_org_domain',
  'get_org_domain',
  'list_org_domains',
  'remove_member_from_org',
  'revoke_invite_in_org',
  'send_org_domain_instructions',
  'update_integration_managed_member',
  'update_member',
  'upsert_ehr_integration_configuration',
  'verify_org_domain',
  'create_management_key',
  'create_team_in_org',
  'delete_team_in_org',
  'list_management_key',
  'patch_management_key',
  'remove_management_key',
  'update_lab_account_team_id_allowlist',
  'update_org',
])

interface Path {
  readonly org_id: string
  readonly team_id: string
  readonly environment: Environment
}

/** Wraps an operation with the check of the management key, after the path is resolved. */
export const guarded =
  ({ worlds }: ManagementParts) =>
  (operation: AnyOperation): AnyOperation => ({
    ...operation,
    access: 'management',
    run(world: World | undefined, input, context) {
      const { org_id, team_id, environment }: Partial<Path> = input.params ?? {}
      if (org_id !== organisationId) throw new Problem('not_found', 'Organization not found')
      if (adminsOnly.has(operation.id) && managerIn(context).role !== 'org_admin') {
        throw new Problem('forbidden', 'This call needs a management key with the role org_admin.')
      }
      // Resolves the team's world for the credentials; undefined if the team does not exist or the key may not see it.
      if (team_id !== undefined && !world) throw new Problem('not_found', 'Team not found')
      if (world && environment !== undefined) assertEnvironment(world, environment)
      // A call without a team in its path changes worlds that it names in its body.
      if (!world && !operation.route.startsWith('GET ')) worlds.assertWritable()
      return operation.run(world as World, input, context)
    },
  })
