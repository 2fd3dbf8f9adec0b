// Loaded before Petri: while the file named by SOAK_FULL_DISK exists, writes to files fail as on a full disk.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const marker = process.env.SOAK_FULL_DISK
const { open, existsSync } = { open: promises.open, existsSync: fs.existsSync }

function assertRoom() {
  if (!existsSync(marker)) return
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}

for (const name of ['writeSync', 'writeFileSync']) {
  const write = fs[name]
  fs[name] = (file, ...rest) => {
    // The terminal is no disk.
    if (file !== 1 && file !== 2) assertRoom()
    return write(file, ...rest)
  }
}
promises.open = async (path, flags, mode) => {
  if (flags === 'w') assertRoom()
  return open(path, flags, mode)
}
syncBuiltinESMExports()
