import {
  createPrivateKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto'
import asn1, { type BerWriter } from 'asn1'
import { DAY_MS } from '../kernel/instant.ts'

// Node finds no names in this CommonJS module.
const { Ber, BerReader } = asn1

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

/** Object identifiers. Source: RFC 5280, RFC 5480 and RFC 5758. */
const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  ecPublicKey: '1.2.840.10045.2.1',
  p256: '1.2.840.10045.3.1.7',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/** The choices of GeneralName. Source: RFC 5280 §4.2.1.6. */
const DNS_NAME = 2
const IP_ADDRESS = 7

/** Creates a certificate authority that can certify these hosts and no others. */
export function createAuthority(hosts: readonly string[], validity: Validity): Certified {
  const name = nameOf([oids.commonName, 'Petri test CA'], [oids.organization, 'Petri'])
  return certify({
    subject: name,
    issuer: name,
    validity,
    extensions: [
      critical(oids.basicConstraints, sequence(isTrue, integer(0))),
      critical(oids.keyUsage, bits(Buffer.of(0b0000_0110), 1)), // keyCertSign, cRLSign
      critical(oids.nameConstraints, onlyFor(hosts)),
    ],
  })
}

/** Issues a certificate for the hosts. */
export function issueCertificate(
  authority: Certified,
  hosts: readonly string[],
  validity: Validity,
): Certified {
  const issuer = new X509Certificate(authority.cert)
  return certify({
    subject: nameOf([oids.organization, 'Petri']),
    issuer: subjectOf(issuer),
    signingKey: createPrivateKey(authority.key),
    validity,
    extensions: [
      critical(oids.basicConstraints, sequence()),
      critical(oids.keyUsage, bits(Buffer.of(0b1000_0000), 7)), // digitalSignature
      extension(oids.subjectAltName, sequence(...hosts.map((host) => text(host, Ber.Context | DNS_NAME)))),
      extension(
        oids.authorityKeyIdentifier,
        sequence(bytes(identifierOf(pointOf(issuer.publicKey)), Ber.Context)),
      ),
    ],
  })
}

interface CertificateRequest {
  readonly subject: Write
  readonly issuer: Write
  /** Its own key by default. */
  readonly signingKey?: KeyObject
  readonly validity: Validity
  /** Those other than the purpose and the identifier of the key. */
  readonly extensions: readonly Write[]
}

/** Certifies a new key. Source: RFC 5280 §4.1. */
function certify({ subject, issuer, signingKey, validity, extensions }: CertificateRequest): Certified {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = pointOf(keys.publicKey)
  const algorithm = sequence(oid(oids.ecdsaWithSha256))
  const toBeSigned = sequence(
    numbered(0, integer(VERSION_3)),
    bytes(serialNumberOf(publicKey), Ber.Integer),
    algorithm,
    issuer,
    sequence(time(validity.now - DAY_MS), time(validity.now + validity.days * DAY_MS)),
    subject,
    sequence(sequence(oid(oids.ecPublicKey), oid(oids.p256)), bits(publicKey)),
    numbered(
      3,
      sequence(
        ...extensions,
        extension(oids.extKeyUsage, sequence(oid(oids.serverAuth))),
        extension(oids.subjectKeyIdentifier, bytes(identifierOf(publicKey))),
      ),
    ),
  )
  const signature = sign('sha256', written(toBeSigned), signingKey ?? keys.privateKey)
  const certificate = new X509Certificate(written(sequence(toBeSigned, algorithm, bits(signature))))
  return {
    cert: certificate.toString(),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Version 3 is written as 2. */
const VERSION_3 = 2

/** The key as a point of the curve, uncompressed: 4 and two coordinates. Source: SEC 1 §2.3.3. */
const pointOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-65)

/** The identifier of a public key. Source: RFC 5280 §4.2.1.2. */
const identifierOf = (publicKey: Buffer): Buffer => hash('sha1', publicKey, 'buffer')

/** As unique as the key; positive, without leading zeros. */
function serialNumberOf(publicKey: Buffer): Buffer {
  const serialNumber = identifierOf(publicKey)
  serialNumber.writeUInt8(0x40 | (serialNumber.readUInt8() & 0x3f))
  return serialNumber
}

const nameOf = (...parts: readonly [type: string, value: string][]): Write =>
  sequence(
    ...parts.map(([type, value]) =>
      constructed(Ber.Set | Ber.Constructor, sequence(oid(type), text(value, Ber.Utf8String))),
    ),
  )

/** The subject of a certificate, as it is written there. */
function subjectOf({ raw }: X509Certificate): Write {
  const reader = new BerReader(raw)
  reader.readSequence()
  reader.readSequence()
  // Version, serial number, algorithm, issuer, validity.
  const fieldsBefore = [Ber.Context | Ber.Constructor, Ber.Integer, SEQUENCE, SEQUENCE, SEQUENCE]
  for (const tag of fieldsBefore) reader.readString(tag, true)
  return bytes(reader.readString(SEQUENCE, true) ?? Buffer.of(), SEQUENCE)
}

const extension = (id: string, value: Write): Write => sequence(oid(id), constructed(Ber.OctetString, value))

const critical = (id: string, value: Write): Write =>
  sequence(oid(id), isTrue, constructed(Ber.OctetString, value))

/** Permits these hosts, and excludes all IP addresses, to which permitted names do not apply. Source: RFC 5280 §4.2.1.10. */
function onlyFor(hosts: readonly string[]): Write {
  const permitted = hosts.map((host) => sequence(text(host, Ber.Context | DNS_NAME)))
  // An address and its mask, of IPv4 and of IPv6.
  const excluded = [8, 32].map((length) => sequence(bytes(Buffer.alloc(length), Ber.Context | IP_ADDRESS)))
  return sequence(numbered(0, ...permitted), numbered(1, ...excluded))
}

/** Two digits of the year until 2049. Source: RFC 5280 §4.1.2.5. */
function time(instant: number): Write {
  const digits = `${new Date(instant)
    .toISOString()
    .slice(0, 19)
    .replace(/[^0-9]/g, '')}Z`
  return digits < '2050' ? text(digits.slice(2), Ber.UTCTime) : text(digits, Ber.GeneralizedTime)
}

/** Writes a value in DER, the encoding of certificates. */
type Write = (writer: BerWriter) => void

function written(value: Write): Buffer {
  const writer = new asn1.BerWriter()
  value(writer)
  return writer.buffer
}

const constructed =
  (tag: number, ...values: readonly Write[]): Write =>
  (writer) => {
    writer.startSequence(tag)
    for (const write of values) write(writer)
    writer.endSequence()
  }

const SEQUENCE = Ber.Sequence | Ber.Constructor

const sequence = (...values: readonly Write[]) => constructed(SEQUENCE, ...values)

/** A field that its number tells from the other fields. */
const numbered = (number: number, ...values: readonly Write[]) =>
  constructed(Ber.Context | Ber.Constructor | number, ...values)

const isTrue: Write = (writer) => writer.writeBoolean(true)

const integer =
  (value: number): Write =>
  (writer) =>
    writer.writeInt(value)

const oid =
  (id: string): Write =>
  (writer) =>
    writer.writeOID(id, Ber.OID)

const text =
  (value: string, tag: number): Write =>
  (writer) =>
    writer.writeString(value, tag)

const bytes =
  (value: Buffer, tag: number = Ber.OctetString): Write =>
  (writer) =>
    writer.writeBuffer(value, tag)

/** Bits; the last ones are not used. */
const bits = (value: Buffer, unused = 0) => bytes(Buffer.concat([Buffer.of(unused), value]), Ber.BitString)
