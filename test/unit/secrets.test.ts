import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactValue, writeRedacted } from '../../src/api/secrets.ts'

const known = ['a "quoted" key\\', 'plainsecret']
const pieces = [
  ...known,
  'sk_us_abcdefgh',
  'pk_eu_1234',
  'mg_abcdef',
  'whsec_abcdefgh=',
  `lt_${'0'.repeat(32)}${'a'.repeat(32)}`,
  `eyJ${'a'.repeat(12)}.${'b'.repeat(12)}.${'c'.repeat(24)}`,
  '?token=abc',
  '&MFA_CODE=1',
  'https://ada:word@host',
  '"Password": "x"',
  'labtest.order.updated',
  'é\n\u0000"',
]
const text = fc.array(fc.constantFrom(...pieces)).map((all) => all.join(' '))
const name = fc.constantFrom('at', 'Token', 'x-api-key', 'key', 'user_password', 'cookies', 'sk_us_abcdefgh')
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(name, tie('any'), { maxKeys: 4 }),
}))

it('writes a value as it is without its secrets', () => {
  fc.assert(
    fc.property(value.object, (given) => {
      expect(writeRedacted(given, known)).toBe(JSON.stringify(redactValue(given, known)))
    }),
  )
})
