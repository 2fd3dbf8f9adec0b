import * as z from 'zod'
import { text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'

export const Diagnosis = schema('Diagnosis', () => ({
  diagnosis_code: z.string(),
  description: z.string(),
  is_secondary: z.boolean(),
}))
export const DiagnosisList = schema('DiagnosisList', () => z.array(Diagnosis()))

export const DiagnosisQuery = unnamed(() => ({ diagnosis_query: text() }))

/** Limited, because codes are compared in pairs. */
const MAX_CODES = 100

export const IcdCodes = schema('IcdCodes', () => ({ codes: z.array(text()).max(MAX_CODES) }))

const excludes = ['excludes1', 'excludes2'] as const

/** Errors and warnings for a list of codes. */
export const IcdCheck = schema('IcdCheck', () => ({
  valid: z.boolean(),
  errors: z.array(z.string()),
  violations: z.array(z.object({ code: z.string(), conflicts_with: z.string(), type: z.enum(excludes) })),
  warnings: z.array(z.object({ code: z.string(), overlaps_with: z.string(), type: z.enum(excludes) })),
}))
