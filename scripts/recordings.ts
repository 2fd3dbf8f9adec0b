import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { packageFolder } from '../src/kernel/package-folder.ts'

/** How an observation is known, as `source` of a recording. */
export const sources = {
  recorded: 'a reply recorded in the live sandbox',
  compared: 'public code whose replies are compared with those of the live sandbox',
  reported: "notes of a public tool's authors, or of its users",
  program: 'what public programs send and read',
  documentation: "the service's documentation",
  inferred: 'follows from other recordings',
} as const

const fields = () => z.record(z.string(), z.unknown())

const Call = z.strictObject({
  /** `GET /v3/order/{order}`; names in braces are what earlier calls have kept. */
  call: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  /** Fields of the body that this call sends otherwise, by path. */
  change: fields().optional(),
  status: z.union([z.number(), z.string()]).default(200),
  /** Fields of the reply by path; a text between slashes is a regular expression. */
  fields: fields().optional(),
  /** Keys of objects of the reply, in order. */
  keys: z.record(z.string(), z.string()).optional(),
  /** Fields that the reply does not have. */
  absent: z.array(z.string()).optional(),
  response_headers: z.record(z.string(), z.string()).optional(),
  /** The whole body where it is no JSON. */
  text: z.string().optional(),
  /** Length of the body. */
  bytes: z.number().optional(),
  keep: z.record(z.string(), z.string()).optional(),
})
const Advance = z.strictObject({ advance: z.string() })
const Step = z.union([Call, Advance])

const Recording = z.strictObject({
  name: z.string(),
  source: z.enum(Object.keys(sources) as (keyof typeof sources)[]),
  /** When it was recorded: a day, a month, or nothing where that is not known. */
  date: z.iso
    .date()
    .or(z.string().regex(/^\d{4}-\d{2}$/))
    .optional(),
  like: z.enum(['sandbox', 'production']).optional(),
  features: fields().optional(),
  /** Prepared before: names of `given.yaml`. */
  given: z.array(z.string()).default([]),
  /** The calls are made once for each row. */
  columns: z.string().optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  calls: z.array(Step).min(1),
})

const RecordingFile = z.strictObject({
  topic: z.string(),
  /** Pages of docs/contract with the rules. */
  rules: z.array(z.string()),
  /** Values that calls name in braces. */
  values: fields().default({}),
  recordings: z.array(Recording).min(1),
})

const GivenFile = z.strictObject({
  values: fields(),
  given: z.record(
    z.string(),
    z.strictObject({ needs: z.array(z.string()).default([]), calls: z.array(Step) }),
  ),
})

export type RecordedCall = z.output<typeof Call>
export type RecordedStep = z.output<typeof Step>
export type Recording = z.output<typeof Recording>
export type RecordingFile = z.output<typeof RecordingFile>
export type Given = z.output<typeof GivenFile>

const folder = join(packageFolder('docs'), '../test/contract/recordings')
const GIVEN = 'given.yaml'

function readFile<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(parse(readFileSync(join(folder, name), 'utf8')))
  if (result.success) return result.data
  throw new Error(`test/contract/recordings/${name}: ${z.prettifyError(result.error)}`)
}

/** What was observed of the live service, by topic. */
export const readRecordings = (): (RecordingFile & { file: string })[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== GIVEN)
    .sort()
    .map((file) => ({ file, ...readFile(file, RecordingFile) }))

export const readGiven = (): Given => readFile(GIVEN, GivenFile)

/** The number of things that a recording asserts: statuses, fields, keys, headers. */
export function assertionsOf({ calls, rows }: Recording): number {
  const each = calls.map((step) => {
    if (!('call' in step)) return 0
    const { fields = {}, keys = {}, absent = [], response_headers = {}, text, bytes } = step
    const others = [text, bytes].filter((value) => value !== undefined)
    return (
      1 +
      [fields, keys, absent, response_headers].reduce((sum, part) => sum + Object.keys(part).length, 0) +
      others.length
    )
  })
  return each.reduce((sum, count) => sum + count, 0) * (rows?.length ?? 1)
}
