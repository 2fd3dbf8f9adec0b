import * as z from 'zod'
import { type Row, unnamed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { collectionMethods, sampleTypes } from '../catalogue/schema.ts'
import { labTestStatuses } from './schema.ts'

export const LabTestRow = unnamed(() =>
  z.object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    method: z.enum(collectionMethods),
    sample_type: z.enum(sampleTypes),
    /** Slug of the laboratory. */
    lab: z.string(),
    marker_ids: z.array(z.int()),
    /** US dollars. */
    price: z.number(),
    status: z.enum(labTestStatuses),
    fasting: z.boolean(),
    /** Whether the service created it for an order; hidden from lists by default. */
    auto_generated: z.boolean(),
    has_collection_instructions: z.boolean().nullable(),
    created_at: z.iso.datetime({ offset: true }),
    updated_at: z.iso.datetime({ offset: true }),
  }),
)
export type LabTestRow = Row<typeof LabTestRow>

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
