import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../kernel/reason.ts'
import { type Certified, createAuthority } from './certificates.ts'
import { liveHosts } from './hosts.ts'

/** Days for which an authority in a folder is valid. */
const AUTHORITY_DAYS = 3650
const PRIVATE = 0o600

/** The certificate authority in a folder, created there if there is none; only this user can read its key. */
export function authorityIn(folder: string, now: number): Certified {
  const files = { cert: join(folder, 'ca.pem'), key: join(folder, 'ca-key.pem') }
  mkdirSync(folder, { recursive: true })
  if (!existsSync(files.key)) {
    if (existsSync(files.cert))
      throw new Error('ca.pem exists without ca-key.pem; remove it to create a new authority')
    createKeyFile(files.key, now)
  }
  chmodSync(files.key, PRIVATE)
  const key = readFileSync(files.key, 'utf8')
  // Of two starts at the same time, both read the pair that the first has written.
  if (!existsSync(files.cert) && key.includes('BEGIN CERTIFICATE')) {
    const cert = parsed('ca-key.pem', () => new X509Certificate(key))
    replaceFile(files.cert, cert.toString())
  }
  if (!existsSync(files.cert))
    throw new Error('ca-key.pem exists without ca.pem; restore ca.pem, or remove ca-key.pem')
  const cert = readFileSync(files.cert, 'utf8')
  const certificate = parsed('ca.pem', () => new X509Certificate(cert))
  const privateKey = parsed('ca-key.pem', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error('ca.pem does not belong to ca-key.pem; restore the missing one, or remove both')
  return { cert, key }
}

/** Replaces errors of OpenSSL, such as that of an empty file. */
function parsed<Value>(file: string, parse: () => Value): Value {
  try {
    return parse()
  } catch {
    throw new Error(
      `${file} is not PEM; restore it, or remove ca.pem and ca-key.pem to create a new authority`,
    )
  }
}

/** Writes the key and its certificate to one file, which appears whole, unless another start was faster. */
function createKeyFile(path: string, now: number): void {
  const { cert, key } = createAuthority(liveHosts, { now, days: AUTHORITY_DAYS })
  const temporary = writeBeside(path, key + cert)
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}

const replaceFile = (path: string, text: string) => renameSync(writeBeside(path, text, 0o644), path)

function writeBeside(path: string, text: string, mode = PRIVATE): string {
  const temporary = `${path}.${process.pid}`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, text, { mode, flag: 'wx' })
  return temporary
}
