import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certified, createAuthority } from './certificates.ts'
import { liveHosts } from './hosts.ts'

/** Days for which an authority in a folder is valid. */
const AUTHORITY_DAYS = 3650

/** The certificate authority in a folder, created there if there is none; its key can be read by this user only. */
export function authorityIn(folder: string, now: number): Certified {
  const files = { cert: join(folder, 'ca.pem'), key: join(folder, 'ca-key.pem') }
  if (existsSync(files.cert) && existsSync(files.key))
    return { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
  const authority = createAuthority(liveHosts, { now, days: AUTHORITY_DAYS })
  mkdirSync(folder, { recursive: true })
  writeFileSync(files.key, authority.key, { mode: 0o600 })
  writeFileSync(files.cert, authority.cert)
  return authority
}
