/** Characters the standard fonts of a PDF have beyond Latin-1. */
const MORE = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** A text in the characters the standard fonts have: accents they lack are dropped, other letters become `?`. */
export function printable(text: string): string {
  return [...text.normalize('NFC').replace(/\s/g, ' ')].map(printableLetter).join('')
}

/** Letters that are no letter with an accent, and nearly so. */
const nearly: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i' }

function printableLetter(letter: string): string {
  if (isPrintable(letter)) return letter
  const near = nearly[letter]
  if (near) return near
  const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  return bare !== '' && [...bare].every(isPrintable) ? bare : '?'
}

const isPrintable = (letter: string) => /^[\x20-\x7e\xa0-\xff]$/.test(letter) || MORE.includes(letter)

/** Lines no wider than `width`; a word that is wider is broken. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && widthOf(`${line} ${rest}`) <= width) {
      line = `${line} ${rest}`
      continue
    }
    if (line !== '') lines.push(line)
    while (widthOf(rest) > width && rest.length > 1) {
      let fits = rest.length - 1
      while (fits > 1 && widthOf(rest.slice(0, fits)) > width) fits--
      lines.push(rest.slice(0, fits))
      rest = rest.slice(fits)
    }
    line = rest
  }
  return line === '' ? lines : [...lines, line]
}
