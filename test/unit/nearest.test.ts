import { describe, expect, it } from 'vitest'
import { didYouMean } from '../../src/kernel/nearest.ts'

const series = ['workout', 'weight', 'heartrate', 'sleep', 'steps', 'blood_oxygen']
const scenarios = ['happy-path', 'lost-on-the-way-out', 'lab-delay', 'sample-hemolyzed']

describe('the name of a suggestion', () => {
  it.each([
    ['hartrate', series, 'heartrate'],
    ['wieght', series, 'weight'],
    ['slep', series, 'sleep'],
    ['blood', series, 'blood_oxygen'],
    ['hapy', scenarios, 'happy-path'],
    ['lost-kit', scenarios, 'lost-on-the-way-out'],
    ['lab_dly', scenarios, 'lab-delay'],
  ])('for %s resembles it', (wrong, names, meant) => {
    expect(didYouMean(wrong, names)).toBe(` Did you mean "${meant}"?`)
  })

  it.each([
    ['colour', series],
    ['xyz', series],
    ['', series],
    ['mood', series],
    ['kit', []],
    ['a'.repeat(201), series],
  ])('is left out for %s, which resembles none', (wrong, names) => {
    expect(didYouMean(wrong, names)).toBe('')
  })
})
