import asn1, { type BerWriter } from 'asn1'

// Node finds no names in this CommonJS module.
const { Ber } = asn1

/** Writes a value in DER, the encoding of certificates. */
export type Write = (writer: BerWriter) => void

export function written(value: Write): Buffer {
  const writer = new asn1.BerWriter()
  value(writer)
  return writer.buffer
}

export const constructed =
  (tag: number, ...values: readonly Write[]): Write =>
  (writer) => {
    writer.startSequence(tag)
    for (const write of values) write(writer)
    writer.endSequence()
  }

export const SEQUENCE = Ber.Sequence | Ber.Constructor

export const sequence = (...values: readonly Write[]) => constructed(SEQUENCE, ...values)

/** A field that its number tells from the other fields. */
export const numbered = (number: number, ...values: readonly Write[]) =>
  constructed(Ber.Context | Ber.Constructor | number, ...values)

export const isTrue: Write = (writer) => writer.writeBoolean(true)

export const integer =
  (value: number): Write =>
  (writer) =>
    writer.writeInt(value)

export const oid =
  (id: string): Write =>
  (writer) =>
    writer.writeOID(id, Ber.OID)

export const text =
  (value: string, tag: number): Write =>
  (writer) =>
    writer.writeString(value, tag)

export const bytes =
  (value: Buffer, tag: number = Ber.OctetString): Write =>
  (writer) =>
    writer.writeBuffer(value, tag)

/** Bits; the last ones are not used. */
export const bits = (value: Buffer, unused = 0) =>
  bytes(Buffer.concat([Buffer.of(unused), value]), Ber.BitString)
