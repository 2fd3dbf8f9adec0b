import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../kernel/reason.ts'
import { CliError } from './errors.ts'

/** Writes a value as JSON, so that the file is there as a whole or not at all. */
export async function writeWhole(path: string, value: unknown): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(beside, `${JSON.stringify(value, null, 2)}\n`)
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw new CliError(`${path} cannot be written: ${messageOf(error)}.`)
  }
}
