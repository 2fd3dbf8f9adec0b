import { type FeatureName, feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { presentLab } from '../labs/schema.ts'
import type { CollectionInstructions } from './schema.ts'
import { getLabTest, markersOf } from './service.ts'

/** How many markers are measured from one tube. No source has it. */
const MARKERS_PER_TUBE = 5

/** What a phlebotomist needs for a lab test. Source: docs/contract/lab-tests.md. */
export function collectionInstructionsOf(world: World, id: string): Parsed<typeof CollectionInstructions> {
  const row = getLabTest(world, id)
  if (row.method !== 'at_home_phlebotomy')
    throw badRequest('Only lab tests for at-home phlebotomy have collection instructions')
  const name: FeatureName = row.lab === 'labcorp' ? 'approxdraw_labcorp' : 'approxdraw'
  const lab = world.services.catalogue.labs().get(row.lab)
  if (!lab || !feature(world, name))
    throw badRequest(`Collection instructions at ${row.lab} are not enabled for your team`)
  const total_tubes = Math.max(1, Math.ceil(markersOf(world, row).length / MARKERS_PER_TUBE))
  return { total_tubes, lab: presentLab(lab) }
}
