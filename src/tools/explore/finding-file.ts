import { yaml } from '../../kernel/yaml.ts'
import type { FindingFile } from '../../scenarios/finding.ts'

/** Lists whose items are written in a line each. */
const LISTS = new Set<unknown>(['steps', 'actions', 'faults'])
/** Objects that are written in a line. */
const LINES = new Set<unknown>(['features', 'webhook_faults'])

/** The text of a finding's file: a line for each step and action. */
export function writeFinding(finding: FindingFile): string {
  const { Document, isCollection, isScalar, visit } = yaml()
  const document = new Document(finding)
  document.commentBefore = ' yaml-language-server: $schema=./finding.schema.json'
  visit(document, {
    Pair(_, { key, value }) {
      const name = isScalar(key) ? key.value : undefined
      if (!isCollection(value)) return
      if (LINES.has(name)) value.flow = true
      if (LISTS.has(name)) for (const item of value.items) if (isCollection(item)) item.flow = true
    },
  })
  return document.toString({ lineWidth: 0 })
}
