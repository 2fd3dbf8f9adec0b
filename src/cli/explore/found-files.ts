import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Finding } from '../../client/explore.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { readUserFile } from '../../kernel/user-file.ts'
import { type FindingFile, readFinding } from '../../scenarios/finding.ts'
import { nameOfFile } from '../../scenarios/folders.ts'
import { assertScenarioName, ScenarioError } from '../../scenarios/read.ts'
import { UsageProblem } from '../../terminal/errors.ts'
import { historyTestText } from '../../tools/incidents/test-text.ts'
import { writeBeside, writeNew } from '../../tools/incidents/written.ts'

/** The histories in a folder of findings; none if there is no folder. */
export const readFolder = (folder: string): readonly FindingFile[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => /\.ya?ml$/.test(file))
        .sort()
        .map((file) => readFile(join(folder, file)))
    : []

/** The names that files in a folder of findings have, without their endings. */
export const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/(\.test\.js|\.ya?ml)$/, '')) : []

/** The longest file of a history, in bytes. */
const MAX_FILE = 128 * 1024

/** A history from a file. Throws a UsageProblem that names file and line. */
export function readFile(file: string): FindingFile {
  try {
    const source = readUserFile(file, MAX_FILE).toString('utf8')
    const finding = readFinding(source, file)
    assertScenarioName({ name: finding.name, source }, nameOfFile(file), file)
    return finding
  } catch (error) {
    if (error instanceof ScenarioError) throw new UsageProblem(error.message)
    throw new UsageProblem(`${whyUnreadable(file, error)}.`)
  }
}

/** Writes the file and the test of a finding. Returns the file. */
export function writeFinding(folder: string, { name, source, problem }: Finding): string {
  const file = join(folder, `${name}.yaml`)
  const test = historyTestText({ name, file: basename(file), problem })
  writeBeside(file, source, 'finding')
  writeNew(join(folder, test.file), test.text)
  return file
}
