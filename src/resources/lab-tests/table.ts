import { toWire } from '../../kernel/instant.ts'
import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import type { LabTestSeed } from '../catalogue/schema.ts'
import type { labTestStatuses } from './schema.ts'

export interface LabTestRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly method: LabTestSeed['method']
  readonly sample_type: LabTestSeed['sample_type']
  /** Slug of the laboratory. */
  readonly lab: string
  readonly marker_ids: readonly number[]
  /** US dollars. */
  readonly price: number
  readonly status: (typeof labTestStatuses)[number]
  readonly fasting: boolean
  /** Whether the service created it for an order; hidden from lists by default. */
  readonly auto_generated: boolean
  readonly has_collection_instructions: boolean | null
  readonly created_at: string
  readonly updated_at: string
}

export const labTests = table<LabTestRow>('lab_tests', ({ id }) => id, { initialRows })

function initialRows(world: World): LabTestRow[] {
  const createdAt = toWire(world.options.now ?? world.clock.now())
  return [...world.parts.catalogue.labTests().values()].map(({ slug, markers, ...labTest }) => ({
    id: world.random.uuid(`lab_test/${slug}`),
    slug: teamSlug(world, slug),
    ...labTest,
    marker_ids: markers,
    status: 'active',
    auto_generated: false,
    created_at: createdAt,
    updated_at: createdAt,
  }))
}

/** Source: contract/lab-testing.md §10. */
export const teamSlug = (world: World, slug: string): string => `${world.identity.teamId.slice(0, 8)}-${slug}`
