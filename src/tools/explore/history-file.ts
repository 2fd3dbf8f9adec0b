import type { Document } from 'yaml'
import type { Parsed } from '../../api/schema.ts'
import { yaml } from '../../kernel/yaml.ts'
import { ScenarioFile } from '../../scenarios/file.ts'
import type { HistorySketch } from '../../scenarios/history.ts'
import { assertScenarioName, readFile, readScenario, ScenarioError } from '../../scenarios/read.ts'

/** A scenario file with a history. */
export interface HistoryFile extends Omit<Parsed<typeof ScenarioFile>, 'history'> {
  readonly history: Parsed<typeof HistorySketch>
}

export type HistoryAction = NonNullable<HistoryFile['history']['actions']>[number]

export type HistoryOrder = NonNullable<HistoryFile['history']['orders']>[number]

/** Writes the file: a line for each step and action. */
export function writeHistory({ history, steps, webhook_faults, faults, ...head }: HistoryFile): string {
  const { Document, isCollection } = yaml()
  const document = new Document({ ...head, steps, webhook_faults, faults, history })
  document.commentBefore = ' yaml-language-server: $schema=./scenario.schema.json'
  for (const path of [['webhook_faults'], ['history', 'features']]) setFlow(document.getIn(path, true))
  for (const path of [
    ['steps'],
    ['faults'],
    ['history', 'actions'],
    ['history', 'faults'],
    ['history', 'orders'],
  ])
    for (const item of itemsAt(document, path)) if (path[1] !== 'orders') setFlow(item)
  for (const order of itemsAt(document, ['history', 'orders'])) {
    if (!isCollection(order)) continue
    setFlow(order.get('webhook_faults', true))
    for (const name of ['steps', 'faults']) {
      const list = order.get(name, true)
      if (isCollection(list)) for (const item of list.items) setFlow(item)
    }
  }
  return document.toString({ lineWidth: 0 })
}

function itemsAt(document: Document, path: readonly string[]): readonly unknown[] {
  const node = document.getIn(path, true)
  return yaml().isCollection(node) ? node.items : []
}

function setFlow(node: unknown): void {
  if (yaml().isCollection(node)) node.flow = true
}

/** Reads a file with a history. Throws a ScenarioError that names file and line. */
export function readHistory(source: string, file: string, name?: string): HistoryFile {
  const scenario = readScenario(source, file)
  if (name !== undefined) assertScenarioName(scenario, name, file)
  const { data } = readFile(source, file, ScenarioFile)
  if (data?.history) return { ...data, history: data.history }
  throw new ScenarioError([
    { file, message: 'has no history; "petri explore" writes such files, and plays no others' },
  ])
}
