import * as z from 'zod'
import { schema } from '../../api/schema.ts'
import { detailText } from '../../kernel/detail-text.ts'
import { Problem, type ProblemKind } from '../../kernel/problem.ts'

/** Why a FHIR call was refused. */
export const OperationOutcome = schema('OperationOutcome', () => ({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(
    z.object({
      severity: z.literal('error'),
      /** Of the value set `issue-type`. */
      code: z.string(),
      diagnostics: z.string(),
      /** FHIRPaths of the elements. */
      expression: z.array(z.string()).optional(),
    }),
  ),
}))

interface Issue {
  readonly diagnostics: string
  readonly expression?: string | undefined
}

const codes: Partial<Record<ProblemKind, string>> = {
  bad_request: 'business-rule',
  forbidden: 'forbidden',
  not_found: 'not-found',
  conflict: 'conflict',
  invalid: 'invalid',
  too_large: 'too-long',
}

/** An error whose body is an OperationOutcome. */
export function outcome(kind: ProblemKind, issues: readonly Issue[]): Problem {
  const issue = issues.map(({ diagnostics, expression }) => ({
    severity: 'error',
    code: codes[kind] ?? 'processing',
    diagnostics,
    expression: expression === undefined ? undefined : [expression],
  }))
  const detail = issues.map(({ diagnostics }) => diagnostics).join('\n')
  return new Problem(kind, detail, { bare: { resourceType: 'OperationOutcome', issue } })
}

interface Entry {
  readonly loc: readonly PropertyKey[]
  readonly msg: string
}

/** An error of the JSON API as an OperationOutcome; `placeOf` tells the FHIRPath of a field of the request. */
export function asOutcome(
  error: unknown,
  placeOf: (path: readonly PropertyKey[]) => string | undefined = () => undefined,
): unknown {
  return error instanceof Problem ? problemAsOutcome(error, placeOf) : error
}

export function problemAsOutcome(
  problem: Problem,
  placeOf: (path: readonly PropertyKey[]) => string | undefined,
): Problem {
  if (problem.extras.bare) return problem
  const { kind, detail } = problem
  if (!Array.isArray(detail)) return outcome(kind, [{ diagnostics: detailText(detail) }])
  const issues = (detail as readonly Entry[]).map(({ loc, msg }) => ({
    diagnostics: msg,
    expression: placeOf(loc.slice(1)),
  }))
  return outcome(kind, issues)
}
