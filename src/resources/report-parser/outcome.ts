import type { World } from '../../world/world.ts'
import { fixtureOf } from './fixtures.ts'
import { makeReport } from './synthetic.ts'
import type { Outcome } from './table.ts'
import type { Upload } from './upload.ts'

/** The outcome of a report: by its file name, from its text, or made up for images and for a PDF without a table of results. */
export function outcomeOf(world: World, uploads: readonly [Upload, ...Upload[]]): Outcome {
  const [{ pdf, report }] = uploads
  const fixture = uploads.map(({ name }) => fixtureOf(name)).find((found) => found !== undefined)
  if (typeof fixture === 'string') return { failure_reason: fixture }
  const files = uploads.map(({ bytes }) => bytes)
  if (fixture) return { data: makeReport(world, files, fixture) }
  if (pdf && 'failure' in pdf) {
    return { failure_reason: pdf.failure === 'encrypted' ? 'invalid_input' : 'processing_error' }
  }
  if (pdf?.lines.length === 0) return { failure_reason: 'low_quality' }
  return { data: report && report.results.length > 0 ? report : makeReport(world, files) }
}
