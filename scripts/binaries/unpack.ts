import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { platform } from '../../src/kernel/platform.ts'
import { reasonOf } from '../../src/kernel/reason.ts'
import { currentContext } from '../../src/terminal/context.ts'

interface Files {
  /** The folder's name. */
  readonly name: string
  /** A tar archive, compressed by brotli. */
  packed(): Uint8Array
}

/** The folder with Petri's files, unpacked if there is none yet. Throws an Error in words if no folder can be written. */
export function unpackOnce(files: Files): string {
  const reasons: string[] = []
  // A container may have no home folder, or one that is read-only.
  for (const parentFolder of [cacheFolder, temporaryFolder]) {
    try {
      const folder = join(parentFolder(), files.name)
      if (!existsSync(folder)) unpack(files, folder)
      assertOwn(folder)
      return folder
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new Error(`Petri cannot unpack its files: ${reasons.join('; ')}.`)
}

const cacheFolder = () => join(platform.cacheFolder(currentContext().environment), 'petri-sandbox')

/** Of this user: the folder for temporary files is everybody's. */
const temporaryFolder = () => join(tmpdir(), `petri-sandbox-${process.getuid?.() ?? 'files'}`)

/** Unpacks next to the folder, so that it is whole as soon as it is there. */
function unpack({ packed }: Files, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const partial = mkdtempSync(`${folder}.`)
  try {
    for (const { name, type, data = new Uint8Array() } of parseTar(brotliDecompressSync(packed()))) {
      if (type !== 'file') continue
      const path = join(partial, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, data)
    }
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // Another start was faster.
    if (!existsSync(folder)) throw error
  }
}

/** Throws if another user could have written the files. */
function assertOwn(folder: string): void {
  const own = process.getuid?.()
  if (own === undefined) return
  for (const each of [dirname(folder), folder]) {
    const status = lstatSync(each)
    const isWritable = (status.mode & 0o022) !== 0
    if (!status.isDirectory() || status.uid !== own || isWritable)
      throw new Error(`another user may write to ${each}`)
  }
}
