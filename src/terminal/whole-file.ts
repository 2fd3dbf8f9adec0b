import { accessSync, constants, existsSync, lstatSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whyUnwritable } from '../kernel/reason.ts'
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
    throw cannotWrite(path, error)
  }
}

export const cannotWrite = (path: string, error: unknown): CliError =>
  new CliError(`Cannot write ${path}: ${whyUnwritable(path, error)}.`)

/** Throws a CliError if no file can be written at a path, before work is done for it. */
export function assertWritable(path: string): void {
  if (path === '') throw new CliError('The name of the file to write is empty.')
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) throw new CliError(`${path} is a folder, not a file.`)
  if (stats?.isSymbolicLink() && !existsSync(path))
    throw new CliError(`${path} is a symbolic link to a file that does not exist.`)
  const folder = dirname(path)
  if (!existsSync(folder)) throw new CliError(`There is no folder ${folder} to write ${path} to.`)
  try {
    accessSync(stats ? path : folder, constants.W_OK)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}
