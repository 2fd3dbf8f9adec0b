import { collectionMethods } from '../../src/resources/catalogue/schema.ts'
import { UsageProblem } from '../../src/terminal/errors.ts'
import type { TeamApi } from '../../src/tools/team-api.ts'
import { commonSlug, type LabTest } from '../../src/tools/verify/questions.ts'

/** A lab test that both services have. */
export interface LabTestPair {
  readonly method: (typeof collectionMethods)[number]
  /** The slug of its laboratory at Petri. */
  readonly lab: string | undefined
  readonly own: string
  readonly other: string
}

/** Reads which lab tests both services have, one call to each. Throws if there are none. */
export async function readLabTests(own: TeamApi, other: TeamApi): Promise<LabTestPair[]> {
  const [owns, others] = await Promise.all([labTestsOf(own), labTestsOf(other)])
  const byName = new Map(others.map((each) => [nameOf(each), each]))
  const pairs = owns.flatMap((each): LabTestPair[] => {
    const counterpart = byName.get(nameOf(each))
    const method = collectionMethods.find((known) => known === each.method)
    return counterpart && method ? [{ method, lab: each.lab?.slug, own: each.id, other: counterpart.id }] : []
  })
  if (pairs.length > 0) return pairs
  throw new UsageProblem(
    `${own.url} and ${other.url} have no lab test in common, so no order can be compared.`,
  )
}

const nameOf = (labTest: LabTest) => `${labTest.method} ${commonSlug(labTest)}`

async function labTestsOf(api: TeamApi): Promise<LabTest[]> {
  const { body } = await api.ask({ method: 'GET', path: '/v3/lab_tests' })
  return Array.isArray(body) ? body : []
}
