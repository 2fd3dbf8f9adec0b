import { feature } from '../../api/features.ts'
import { makePhysician } from '../../kernel/people.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { needsPhysician } from '../lab-accounts/service.ts'
import type { LabAccountRow } from '../lab-accounts/table.ts'
import type { OrderRow } from './table.ts'

/** The service's own made-up physician, used if the customer names none. */
const servicePhysician = ({ random }: World) => makePhysician(random, 'service')

type Named = NonNullable<OrderRow['physician']>

/** The ordering physician: the given one, or the service's own if the account allows it. Source: contract/lab-testing.md §6. */
export function choosePhysician(
  world: World,
  account: LabAccountRow | undefined,
  named: Named | null | undefined,
): Named {
  if (named) return { first_name: named.first_name, last_name: named.last_name, npi: named.npi }
  if (account && needsPhysician(account) && feature(world, 'physician_rule') === 'enforced') {
    throw new Problem('bad_request', 'physician must be set, the lab account is delegated')
  }
  return servicePhysician(world)
}
