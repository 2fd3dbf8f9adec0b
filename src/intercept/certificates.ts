import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509'
import * as x509 from '@peculiar/x509'
import { DAY_MS } from '../kernel/instant.ts'

/** A certificate and its private key, in PEM. */
export interface Certified {
  readonly cert: string
  readonly key: string
}

export interface Validity {
  /** The wall clock, in milliseconds since 1970. */
  readonly now: number
  readonly days: number
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const NAME_CONSTRAINTS = '2.5.29.30'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'

/** Creates a certificate authority that can certify these hosts and no others. */
export async function createAuthority(hosts: readonly string[], validity: Validity): Promise<Certified> {
  const keys = await generateKeys()
  const { KeyUsageFlags: usage } = x509
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Petri test CA, O=Petri',
    keys,
    signingAlgorithm: algorithm,
    ...datesOf(validity),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, true),
      new x509.Extension(NAME_CONSTRAINTS, true, AsnConvert.serialize(onlyFor(hosts))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: pemOf(certificate), key: await writeKey(keys.privateKey) }
}

/** Issues a certificate for the hosts. */
export async function issueCertificate(
  authority: Certified,
  hosts: readonly string[],
  validity: Validity,
): Promise<Certified> {
  const keys = await generateKeys()
  const issuer = new x509.X509Certificate(authority.cert)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'O=Petri',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: algorithm,
    ...datesOf(validity),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTHENTICATION]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value }))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  })
  return { cert: pemOf(certificate), key: await writeKey(keys.privateKey) }
}

const generateKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

const pemOf = (certificate: x509.X509Certificate) => `${certificate.toString('pem')}\n`

/** From a day before, for machines whose clocks differ. */
const datesOf = ({ now, days }: Validity) => ({
  notBefore: new Date(now - DAY_MS),
  notAfter: new Date(now + days * DAY_MS),
})

/** Permits these hosts, and excludes all IP addresses, to which permitted names do not apply. Source: RFC 5280 §4.2.1.10. */
const onlyFor = (hosts: readonly string[]) =>
  new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(
      hosts.map((dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) })),
    ),
    excludedSubtrees: new GeneralSubtrees(
      ['0.0.0.0/0', '::/0'].map((iPAddress) => new GeneralSubtree({ base: new GeneralName({ iPAddress }) })),
    ),
  })

async function writeKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

const readKey = (pem: string) =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), algorithm, true, ['sign'])
