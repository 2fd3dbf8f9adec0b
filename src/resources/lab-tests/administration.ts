import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { LabSeed } from '../catalogue/schema.ts'
import type { Marker } from '../catalogue/service.ts'
import { getLinkedLabAccount } from '../lab-accounts/service.ts'
import type { LabTestPatch, NewLabTest, OrderSet } from './schema.ts'
import { chooseMarkers, findLabTest, getLabTest, markersOf } from './service.ts'
import { type LabTestRow, labTests, teamSlug } from './table.ts'

const APPROVE = 'lab-tests.approve'
/** How long the review of a new lab test takes. */
const REVIEW_MS = DAY_MS

/**
 * Creates a lab test, with a new id unless one was chosen; it can be ordered immediately or after its review.
 * Source: docs/contract/lab-tests.md.
 */
export function createLabTest(world: World, body: Parsed<typeof NewLabTest>, id?: string): LabTestRow {
  const markers = chooseMarkers(world, body, labAskedFor(world, body))
  const [first] = markers
  const { lab } = first
  if (markers.some((marker) => marker.lab.slug !== lab.slug)) {
    throw badRequest('cannot create a lab test with markers from multiple labs')
  }
  if (!lab.collection_methods.includes(body.method)) {
    throw badRequest(`Lab ${lab.slug} does not support collection method ${body.method}`)
  }
  const isReviewed = feature(world, 'lab_test_approval') === 'after_review'
  const now = toWire(world.clock.now())
  const row = world.db.put(labTests, {
    id: id ?? world.newId('lab_test', (each) => world.db.has(labTests, each)),
    slug: freeSlug(world, body.name),
    name: body.name,
    description: body.description,
    method: body.method,
    sample_type: sampleOf(lab, body.method),
    lab: lab.slug,
    marker_ids: markers.map(({ id }) => id),
    price: totalOf(markers),
    status: isReviewed ? 'pending_approval' : 'active',
    fasting: body.fasting ?? false,
    auto_generated: false,
    has_collection_instructions: body.method === 'testkit',
    ...(body.source_sandbox_lab_test_id && {
      source_sandbox_lab_test_id: body.source_sandbox_lab_test_id,
    }),
    created_at: now,
    updated_at: now,
  })
  if (isReviewed) {
    world.agenda.schedule({ afterScenarioMs: REVIEW_MS, kind: APPROVE, subject: row.id })
  }
  return row
}

/** The laboratory of the request or of its account. */
function labAskedFor(world: World, { lab_slug, lab_account_id }: Parsed<typeof NewLabTest>): string | null {
  if (!lab_account_id) return lab_slug
  const { lab } = getLinkedLabAccount(world, lab_account_id)
  if (lab_slug && lab !== lab_slug) {
    throw badRequest(`Lab account is not associated with lab ${lab_slug}`)
  }
  return lab
}

/** A slug of the team's prefix and the name, with a number if it is taken. */
function freeSlug(world: World, name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const taken = new Set([...world.db.all(labTests)].map(({ slug }) => slug))
  const slug = teamSlug(world, words || 'lab-test')
  for (let nth = 2; taken.has(slug); nth++) {
    const numbered = `${slug}-${nth}`
    if (!taken.has(numbered)) return numbered
  }
  return slug
}

/** Kits use dried blood if the laboratory accepts it; other methods give serum. */
function sampleOf({ sample_types }: LabSeed, method: LabTestRow['method']): LabTestRow['sample_type'] {
  const usual = method === 'testkit' ? 'dried_blood_spot' : 'serum'
  const [first] = sample_types
  return sample_types.includes(usual) ? usual : (first ?? usual)
}

/** US dollars; a marker without a price adds nothing. */
const totalOf = (markers: readonly Marker[]): number => {
  const cents = markers.reduce((total, { price }) => total + Math.round((Number(price) || 0) * 100), 0)
  return cents / 100
}

const statusOf = (isActive: boolean) => (isActive ? 'active' : 'inactive')

/** Renames, activates or deactivates. */
export function patchLabTest(world: World, id: string, patch: Parsed<typeof LabTestPatch>): LabTestRow {
  const row = getLabTest(world, id)
  const { name, active } = patch
  if (row.status === 'pending_approval' && typeof active === 'boolean') {
    throw badRequest('Lab test is pending approval')
  }
  return world.db.put(labTests, {
    ...row,
    name: name ?? row.name,
    status: typeof active === 'boolean' ? statusOf(active) : row.status,
    updated_at: toWire(world.clock.now()),
  })
}

export const labTestJobs: JobKinds = {
  [APPROVE]: {
    does: 'a lab test is approved',
    run(world, { subject }) {
      const row = world.db.find(labTests, subject)
      if (row?.status !== 'pending_approval') return
      world.db.put(labTests, { ...row, status: 'active', updated_at: toWire(world.clock.now()) })
    },
  },
}

/** Every marker of an order set, each once. Source: docs/contract/lab-tests.md. */
export function markersOfOrderSet(world: World, set: Parsed<typeof OrderSet>): Marker[] {
  const { lab_test_ids, add_on, lab_account_id } = set
  if (!lab_test_ids?.length && !add_on) {
    throw badRequest('lab_test_ids or add_on must be set in order_set')
  }
  const account = lab_account_id ? getLinkedLabAccount(world, lab_account_id) : undefined
  const ofTests = (lab_test_ids ?? []).flatMap((id) => {
    const labTest = findLabTest(world, id)
    if (labTest) return markersOf(world, labTest)
    throw badRequest('No markers found for the supplied lab tests. Please check the lab test ids')
  })
  const added = add_on ? addedMarkers(world, add_on, account?.lab ?? ofTests[0]?.lab.slug) : []
  const markers = [...new Set([...ofTests, ...added])]
  if (new Set(markers.map(({ lab }) => lab.slug)).size > 1) {
    throw badRequest('cannot order lab_tests from multiple labs')
  }
  const hasOtherLabs = account && markers.some(({ lab }) => lab.slug !== account.lab)
  if (hasOtherLabs) {
    throw badRequest(`Lab account is not associated with lab ${markers[0]?.lab.slug}`)
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
    throw badRequest('cannot set both marker_ids and provider_ids in add_on')
  }
  if (!marker_ids && !provider_ids) {
    throw badRequest('marker_ids or provider_ids must be set in add_on')
  }
  return chooseMarkers(world, addOn, provider_ids ? labSlug : undefined)
}
