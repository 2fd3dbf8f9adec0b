import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Why nothing can be stored in the data folder, and what to do; undefined for other errors. */
export function explainUnwritable(error: unknown, data: string): string | undefined {
  const { code, path = '', syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  const folder = resolve(data)
  if (!path.startsWith(existing(folder))) return undefined
  // Node reports ENOENT if it cannot create nested folders on a read-only file system.
  if (code === 'EROFS' || (code === 'ENOENT' && syscall === 'mkdir'))
    return `${folder} is on a read-only file system. Mount a writable folder there, or set PETRI_DATA to one; PETRI_DATA=memory stores nothing.`
  if (code !== 'EACCES' && code !== 'EPERM') return undefined
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const { uid, gid } = statSync(existing(folder))
  return (
    `User ${own} may not write to ${folder}, which belongs to user ${uid}. Do one of these: give the folder to user ${own} ` +
    `("chown -R ${own} FOLDER", where FOLDER is the one that is mounted there), run Petri as its owner ` +
    `("--user ${uid}:${gid}" of docker or podman run), or set PETRI_DATA to a folder that this user may write to; ` +
    'PETRI_DATA=memory stores nothing.'
  )
}

/** The folder, or its nearest parent that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))
