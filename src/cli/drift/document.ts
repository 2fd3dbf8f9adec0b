import { readFileSync, statSync } from 'node:fs'
import { whyUnreadable } from '../../kernel/reason.ts'
import { UsageProblem } from '../config.ts'

/** The maximum size of a document, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024

/** Reads a file of JSON or YAML; "-" is standard input. Throws a UsageProblem that names the file. */
export async function readDocument(file: string): Promise<unknown> {
  const text = withUsageErrors(file, () => {
    if (file !== '-' && statSync(file).size > MAX_BYTES) throw new Error('is larger than 32 MB')
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  })
  if (text.length > MAX_BYTES) throw new UsageProblem(`${nameOfFile(file)} is larger than 32 MB.`)
  if (/^\s*\{/.test(text)) return withUsageErrors(file, () => JSON.parse(text))
  const { parse } = await import('yaml')
  return withUsageErrors(file, () => parse(text))
}

/** Runs a function that throws errors about a file, in the words of a user. */
export function withUsageErrors<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && /^E[A-Z]+$/.test(code))
      throw new UsageProblem(`${whyUnreadable(nameOfFile(file), error)}.`)
    const reason = /^is /.test(message) ? message : `cannot be read: ${message.split('\n')[0]}`
    throw new UsageProblem(`${nameOfFile(file)} ${reason}.`)
  }
}

export const nameOfFile = (file: string) => (file === '-' ? 'Standard input' : file)
