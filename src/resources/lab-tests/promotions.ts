import type { Parsed } from '../../api/schema.ts'
import { compact } from '../../kernel/list.ts'
import type { World } from '../../world/world.ts'
import type { Promotion, PromotionQuery, PromotionSource } from './schema.ts'
import { getLabTest, markersOf } from './service.ts'
import { labTests } from './table.ts'

/** The lab tests that were made from others. Source: docs/contract/lab-tests.md. */
export function listPromotions(
  world: World,
  { source_sandbox_lab_test_ids: wanted }: Parsed<typeof PromotionQuery>,
): Parsed<typeof Promotion>[] {
  return compact(
    [...world.db.all(labTests)].map(({ id, status, source_sandbox_lab_test_id: source }) =>
      source && (!wanted || wanted.includes(source))
        ? { source_sandbox_lab_test_id: source, production_lab_test_id: id, status }
        : undefined,
    ),
  )
}

/** The body of the call that makes a lab test like this one. */
export function promotionSourceOf(world: World, id: string): Parsed<typeof PromotionSource> {
  const row = getLabTest(world, id)
  return {
    name: row.name,
    description: row.description ?? '',
    method: row.method,
    fasting: row.fasting,
    lab_slug: row.lab,
    provider_ids: markersOf(world, row).map(({ provider_id }) => provider_id),
    source_sandbox_lab_test_id: id,
  }
}
