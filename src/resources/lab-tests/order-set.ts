import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Marker } from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import { chooseMarkers } from './choice.ts'
import type { OrderSet } from './schema.ts'
import { findLabTest, markersOf } from './service.ts'

/** Every marker of an order set, each once. Source: contract/lab-testing.md §10. */
export function markersOfOrderSet(world: World, set: Parsed<typeof OrderSet>): Marker[] {
  const { lab_test_ids, add_on, lab_account_id } = set
  if (!lab_test_ids?.length && !add_on) {
    throw new Problem('bad_request', 'lab_test_ids or add_on must be set in order_set')
  }
  const account = lab_account_id ? getLinkedLabAccount(world, lab_account_id) : undefined
  const ofTests = (lab_test_ids ?? []).flatMap((id) => {
    const labTest = findLabTest(world, id)
    if (labTest) return markersOf(world, labTest)
    throw new Problem(
      'bad_request',
      'No markers found for the supplied lab tests. Please check the lab test ids',
    )
  })
  const added = add_on ? addedMarkers(world, add_on, account?.lab ?? ofTests[0]?.lab.slug) : []
  const markers = [...new Set([...ofTests, ...added])]
  if (new Set(markers.map(({ lab }) => lab.slug)).size > 1) {
    throw new Problem('bad_request', 'cannot order lab_tests from multiple labs')
  }
  const hasOtherLabs = account && markers.some(({ lab }) => lab.slug !== account.lab)
  if (hasOtherLabs) {
    throw new Problem('bad_request', `Lab account is not associated with lab ${markers[0]?.lab.slug}`)
  }
  return markers
}

function addedMarkers(
  world: World,
  addOn: NonNullable<Parsed<typeof OrderSet>['add_on']>,
  labSlug: string | undefined,
): Marker[] {
  const { marker_ids, provider_ids } = addOn
  if (marker_ids && provider_ids) {
    throw new Problem('bad_request', 'cannot set both marker_ids and provider_ids in add_on')
  }
  if (!marker_ids && !provider_ids) {
    throw new Problem('bad_request', 'marker_ids or provider_ids must be set in add_on')
  }
  return chooseMarkers(world, addOn, provider_ids ? labSlug : undefined)
}
