import fc from 'fast-check'

const SURROGATES = 0xd800
const SURROGATE_COUNT = 0x800

/** Every character there is, as the unit `binary` has them, without its table of all of them, which takes a second to make. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATE_COUNT }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT),
  (character) => {
    const [point = 0, ...others] = typeof character === 'string' ? [...character] : []
    const code = String(point).codePointAt(0) ?? 0
    const isOne =
      point !== 0 && others.length === 0 && (code < SURROGATES || code >= SURROGATES + SURROGATE_COUNT)
    if (!isOne) throw new Error('not one character')
    return code < SURROGATES ? code : code - SURROGATE_COUNT
  },
)
