import * as z from 'zod'
import { instant, nullableText } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/instant.ts'
import { type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { collectionMethods, labTestStatuses, sampleTypes } from '../catalogue/schema.ts'

export const labTests = table(
  'lab_tests',
  () =>
    z.object({
      id: z.guid(),
      slug: z.string(),
      name: z.string(),
      description: nullableText(),
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
      /** The lab test it was made from. */
      source_sandbox_lab_test_id: z.guid().exactOptional(),
      created_at: instant(),
      updated_at: instant(),
    }),
  ({ id }) => id,
  {
    initialRows(world: World) {
      const createdAt = toWire(world.options.now ?? world.clock.now())
      return [...world.services.catalogue.labTests().values()].map(({ id, slug, markers, ...labTest }) => ({
        id: id ?? world.random.uuid(`lab_test/${slug}`),
        slug: id === undefined ? teamSlug(world, slug) : slug,
        ...omit(labTest, 'reports'),
        marker_ids: markers,
        auto_generated: false,
        created_at: createdAt,
        updated_at: createdAt,
      }))
    },
  },
)
export type LabTestRow = RowOf<typeof labTests>

/** Source: docs/contract/lab-tests.md. */
export const teamSlug = (world: World, slug: string): string => `${world.identity.teamId.slice(0, 8)}-${slug}`

/** Whether the lab test is a team's; standard ones have no prefix. */
export const isOfTeam = ({ slug }: LabTestRow): boolean => /^[0-9a-f]{8}-/.test(slug)
