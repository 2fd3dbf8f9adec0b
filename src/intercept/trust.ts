import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'

/** Where systems keep their roots: Debian and Alpine, Fedora, SUSE, macOS and BSD. Source: crypto/x509/root_linux.go of Go. */
export const rootFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a file, or in the files of a folder; none if there is no such file. */
export function certificatesIn(path: string | undefined): string[] {
  if (!path || !existsSync(path)) return []
  if (statSync(path).isDirectory())
    return readdirSync(path).flatMap((name) => certificatesIn(join(path, name)))
  return readFileSync(path, 'utf8').match(CERTIFICATE) ?? []
}

/** The roots that this machine trusts; those of Node where they are not in a file. */
export function systemRoots(files = rootFiles): readonly string[] {
  const inFile = certificatesIn(files.find((file) => existsSync(file)))
  return inFile.length > 0 ? inFile : rootCertificates
}

export const bundleOf = (certificates: readonly string[]): string =>
  `${[...new Set(certificates)].join('\n')}\n`

const JKS_MAGIC = 0xfeedfeed
const JKS_VERSION = 2
const TRUSTED_CERTIFICATE = 2
/** Java's default for trust stores. An integrity check only; the certificates are not encrypted. */
const PASSWORD = 'changeit'

/** A Java trust store in the JKS format. Source: sun.security.provider.JavaKeyStore of OpenJDK. */
export function javaTrustStore(certificates: readonly string[]): Buffer {
  const unique = [...new Set(certificates)]
  const entries = unique.map((pem, at) =>
    Buffer.concat([
      uint32(TRUSTED_CERTIFICATE),
      javaText(`root-${at}`),
      // The date of the entry, which Java does not use.
      Buffer.alloc(8),
      javaText('X.509'),
      withLength(derOf(pem)),
    ]),
  )
  const content = Buffer.concat([uint32(JKS_MAGIC), uint32(JKS_VERSION), uint32(unique.length), ...entries])
  const password = Buffer.from(PASSWORD, 'utf16le').swap16()
  const digest = createHash('sha1').update(password).update('Mighty Aphrodite').update(content).digest()
  return Buffer.concat([content, digest])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Decoded without a parser: reading some 150 roots as certificates took a fifth of the start of `petri exec`. */
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')

const withLength = (bytes: Buffer) => Buffer.concat([uint32(bytes.length), bytes])

/** ASCII text after its length in two bytes. */
const javaText = (text: string) => Buffer.concat([uint32(text.length).subarray(2), Buffer.from(text)])
