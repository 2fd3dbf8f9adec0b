import type { World } from '../../world/world.ts'
import { fixtureOf } from './fixtures.ts'
import { isEncrypted, pageContentsOf } from './pdf.ts'
import { linesOf, piecesOf } from './pdf-text.ts'
import { readReport } from './rows.ts'
import { makeReport } from './synthetic.ts'
import type { Outcome } from './table.ts'
import type { Upload } from './upload.ts'

/** The outcome of a report: by its file name, from its text layer, or made up. */
export function outcomeOf(world: World, uploads: readonly [Upload, ...Upload[]]): Outcome {
  const [first] = uploads
  const fixture = uploads.map(({ name }) => fixtureOf(name)).find((found) => found !== undefined)
  if (typeof fixture === 'string') return { failure_reason: fixture }
  const files = uploads.map(({ bytes }) => bytes)
  if (fixture) return { data: makeReport(world, files, fixture) }
  if (first.type === 'application/pdf') {
    if (isEncrypted(first.bytes)) return { failure_reason: 'invalid_input' }
    const lines = pageContentsOf(first.bytes).flatMap((content) => linesOf(piecesOf(content)))
    const data = readReport(world.parts.catalogue, lines)
    if (data.results.length > 0) return { data }
  }
  return { data: makeReport(world, files) }
}
