import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { once } from '../kernel/once.ts'

const letters = (text = '') => text.toUpperCase().replaceAll('.', '').trim()

/** The codes of two and three letters, and the English names, of all countries. Source: ISO 3166-1. */
const known = once(() => {
  const two = codes.map(([code]) => code)
  const three = codes.map(([, code]) => code)
  return new Set([...two, ...three, ...Object.values(english.countries).flat()].map(letters))
})

/** Whether a text is the code or the English name of a country. */
export const isCountry = (text: string): boolean => known().has(letters(text))
