import anyAscii from 'any-ascii'
import { byName } from '../../kernel/fields.ts'

/** Characters the standard fonts of a PDF have beyond Latin-1. */
const MORE = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

const isPrintable = (letter: string) => /^[\x20-\x7e\xa0-\xff]$/.test(letter) || MORE.includes(letter)

/** The ʻokina and the modifier apostrophe as the quotation marks that look like them. */
const lookalikes = byName<string>({ ʻ: '‘', ʼ: '’' })

/** A text in the characters of the standard fonts: letters of other scripts are transliterated. What has no transliteration, such as private characters, becomes `?`. */
export function printable(text: string): string {
  return [...text.normalize('NFC').replace(/\s/g, ' ')].map(printableLetter).join('')
}

function printableLetter(letter: string): string {
  if (isPrintable(letter)) return letter
  const latin = lookalikes[letter] ?? anyAscii(letter)
  if (latin !== '' && [...latin].every(isPrintable)) return latin
  // Marks that no letter before has taken in, and controls of direction, are not printed.
  return /[\p{M}\p{Cf}]/u.test(letter) ? '' : '?'
}
