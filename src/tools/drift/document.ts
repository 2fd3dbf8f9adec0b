import { readLimited } from '../../kernel/read-limited.ts'
import { codeOf, whyUnreadable } from '../../kernel/reason.ts'
import { readUserFile, shownName } from '../../kernel/user-file.ts'
import { yaml } from '../../kernel/yaml.ts'
import { UsageProblem } from '../../terminal/errors.ts'

/** The maximum size of a document, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024

/** Reads a file of JSON or YAML; "-" is standard input. Throws a UsageProblem that names the file. */
export async function readDocument(file: string): Promise<unknown> {
  const text =
    file === '-'
      ? await readStdin()
      : withUsageErrors(file, () => readUserFile(file, MAX_BYTES).toString('utf8'))
  return withUsageErrors(file, () => (/^\s*\{/.test(text) ? JSON.parse(text) : yaml().parse(text)))
}

async function readStdin(): Promise<string> {
  const bytes = await readLimited(process.stdin, MAX_BYTES)
  if (bytes === undefined) throw new UsageProblem(`${shownName('-')} is longer than ${MAX_BYTES} bytes.`)
  return bytes.toString('utf8')
}

/** Runs a function that throws errors about a file, in the words of a user. */
export function withUsageErrors<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === 'MULTIPLE_DOCS')
      throw new UsageProblem(`${shownName(file)} has several YAML documents; give it one.`)
    throw new UsageProblem(`${whyUnreadable(shownName(file), error)}.`)
  }
}
