import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRandom, type Random } from '../../src/kernel/random.ts'

/** One value of each kind. */
const valuesOf = (random: Random, key: string) => [
  random.noise(key),
  random.integer(key, 0, 1_000_000),
  random.pick(key, ['a', 'b', 'c']),
  random.uuid(key),
  random.letters(key, 'abc', 8),
  random.base62(key, 27),
  random.fork(key).uuid('x'),
]

it('a source within a prefix gives what the whole keys give', { tags: 'slow' }, () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, text, text, (seed, before, prefix, key) => {
      const random = createRandom(seed)
      const whole = valuesOf(random, `${before}${prefix}${key}`)
      expect(valuesOf(random.within(`${before}${prefix}`), key)).toEqual(whole)
      expect(valuesOf(random.within(before).within(prefix), key)).toEqual(whole)
    }),
  )
})

it('a fork is a source of its own', () => {
  const random = createRandom('1')
  expect(random.fork('a').uuid('x')).not.toBe(random.fork('b').uuid('x'))
  expect(random.fork('a').uuid('x')).not.toBe(random.uuid('x'))
})
