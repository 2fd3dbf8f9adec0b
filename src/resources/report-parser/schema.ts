import * as z from 'zod'
import { boolean, field, uuid } from '../../api/fields.ts'
import type { ValidationIssue } from '../../api/issue.ts'
import { nullableText, schema } from '../../api/schema.ts'
import { interpretations } from '../orders/schema.ts'

const jobStatuses = ['upload_pending', 'started', 'completed', 'failed', 'pending_review'] as const
export const failureReasons = [
  'invalid_input',
  'low_quality',
  'not_english',
  'too_many_pages',
  'processing_error',
] as const

const LoincMatch = schema('LoincMatch', () => ({
  loinc_code: z.string(),
  loinc_name: z.string(),
  display_name: z.string(),
  aliases: z.array(z.string()),
  /** From 0 to 1. */
  confidence_score: z.number(),
}))

export const resultTypes = [
  'numeric',
  'range',
  'comment',
  'boolean',
  'duration',
  'percentage',
  'ratio',
] as const

/** One line of a lab report. Source: docs/contract/report-parser.md. */
export const ParsedResult = schema('ParsedResult', () => ({
  test_name: z.string(),
  value: z.string(),
  type: z.enum(resultTypes).nullable(),
  units: nullableText(),
  min_reference_range: z.number().nullable(),
  max_reference_range: z.number().nullable(),
  source_panel_name: nullableText(),
  sample_type: z.enum([
    'urine',
    'serum_plasma_blood',
    'capillary_blood',
    'stool',
    'saliva',
    'other',
    'unknown',
  ]),
  measurement_kind: z.enum(['direct', 'calculated', 'ratio', 'unknown']),
  sensitivity: z.enum(['sensitive', 'insensitive', 'unknown']),
  interpretation: z.enum(interpretations).nullable(),
  is_above_max_range: z.boolean().nullable(),
  is_below_min_range: z.boolean().nullable(),
  loinc_match_status: z.enum(['auto_match', 'needs_review', 'no_match']).nullable(),
  /** Best first. */
  loinc_matches: z.array(LoincMatch()).nullable(),
}))

/** The metadata of a report; dates as printed. */
export const ReportMetadata = schema('ReportMetadata', () => ({
  patient_first_name: nullableText(),
  patient_last_name: nullableText(),
  dob: nullableText(),
  gender: z.enum(['male', 'female', 'other']),
  lab_name: nullableText(),
  date_reported: nullableText(),
  date_collected: nullableText(),
  specimen_number: nullableText(),
}))

export const ParsedReport = schema('ParsedReport', () => ({
  metadata: ReportMetadata(),
  results: z.array(ParsedResult()),
}))

/** A parsing job; `job_id` is the older name of `id`. */
export const ParsingJob = schema('ParsingJob', () => ({
  id: z.uuid(),
  job_id: z.uuid(),
  status: z.enum(jobStatuses),
  failure_reason: z.enum(failureReasons).nullable(),
  data: ParsedReport().nullable(),
  needs_human_review: z.boolean(),
  is_reviewed: z.boolean(),
}))

const notAFile: ValidationIssue = {
  type: 'value_error',
  msg: "Value error, Expected UploadFile, received: <class 'str'>",
  ctx: { error: {} },
}

/** One file, or several of the same name in the form. */
const files = () =>
  field(
    { type: 'array', items: { type: 'string', format: 'binary' } },
    (input): readonly [File, ...File[]] | ValidationIssue => {
      const [first, ...others] = Array.isArray(input) ? input : [input]
      if (!isFile(first) || !others.every(isFile)) return notAFile
      return [first, ...others]
    },
  )

const isFile = (input: unknown): input is File => input instanceof File

export const NewParsingJob = schema('NewParsingJob', () => ({
  file: files(),
  user_id: uuid(),
  needs_human_review: boolean().default(false),
}))
