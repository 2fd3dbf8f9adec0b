import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity as ValidityField,
  Version,
} from '@peculiar/asn1-x509'
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

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'

/** Creates a certificate authority that can certify these hosts and no others. */
export function createAuthority(hosts: readonly string[], validity: Validity): Certified {
  const { privateKey, publicKey } = generateKeys()
  const name = nameOf([COMMON_NAME, 'Petri test CA'], [ORGANIZATION, 'Petri'])
  return certify({
    subject: name,
    issuer: name,
    privateKey,
    signingKey: privateKey,
    publicKey,
    validity,
    extensions: [
      critical(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)),
      critical(id_ce_nameConstraints, onlyFor(hosts)),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(digestOf(publicKey))),
    ],
  })
}

/** Issues a certificate for the hosts. */
export function issueCertificate(
  authority: Certified,
  hosts: readonly string[],
  validity: Validity,
): Certified {
  const { privateKey, publicKey } = generateKeys()
  const issuer = AsnConvert.parse(new X509Certificate(authority.cert).raw, Certificate).tbsCertificate
  const names = hosts.map((dNSName) => new GeneralName({ dNSName }))
  const keyIdentifier = new KeyIdentifier(digestOf(issuer.subjectPublicKeyInfo))
  return certify({
    subject: nameOf([ORGANIZATION, 'Petri']),
    issuer: issuer.subject,
    privateKey,
    signingKey: createPrivateKey(authority.key),
    publicKey,
    validity,
    extensions: [
      critical(id_ce_basicConstraints, new BasicConstraints()),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature)),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names)),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(digestOf(publicKey))),
      extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier })),
    ],
  })
}

interface CertificateRequest {
  readonly subject: Name
  readonly issuer: Name
  readonly publicKey: SubjectPublicKeyInfo
  readonly privateKey: KeyObject
  readonly signingKey: KeyObject
  readonly validity: Validity
  readonly extensions: Extension[]
}

function certify(request: CertificateRequest): Certified {
  const { subject, issuer, publicKey, privateKey, signingKey, validity, extensions } = request
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumberOf(publicKey),
    signature: signatureAlgorithm,
    issuer,
    validity: new ValidityField(datesOf(validity)),
    subject,
    subjectPublicKeyInfo: publicKey,
    extensions: new Extensions(extensions),
  })
  const signatureValue = bytesOf(
    sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signingKey),
  )
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue })
  return {
    cert: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function generateKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { privateKey, publicKey: AsnConvert.parse(der, SubjectPublicKeyInfo) }
}

const nameOf = (...parts: readonly [type: string, text: string][]) =>
  new Name(
    parts.map(([type, utf8String]) => {
      const value = new AttributeValue({ utf8String })
      return new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value })])
    }),
  )

const extension = (extnID: string, value: unknown, isCritical = false) =>
  new Extension({ extnID, critical: isCritical, extnValue: new OctetString(AsnConvert.serialize(value)) })

const critical = (extnID: string, value: unknown) => extension(extnID, value, true)

/** The identifier of a public key. Source: RFC 5280 §4.2.1.2. */
const digestOf = ({ subjectPublicKey }: SubjectPublicKeyInfo) =>
  bytesOf(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())

/** As unique as the key; positive, without leading zeros. */
function serialNumberOf(publicKey: SubjectPublicKeyInfo): ArrayBuffer {
  const bytes = new Uint8Array(digestOf(publicKey))
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.buffer
}

const bytesOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

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
