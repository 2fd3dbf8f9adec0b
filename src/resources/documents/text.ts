/** Characters the standard fonts of a PDF have beyond Latin-1. */
const MORE = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** A text in the characters of the standard fonts: unsupported accents are dropped, other letters become `?`. */
export function printable(text: string): string {
  return [...text.normalize('NFC').replace(/\s/g, ' ')].map(printableLetter).join('')
}

/** Letters that Unicode does not decompose, and their replacements. */
const nearly: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i' }

function printableLetter(letter: string): string {
  if (isPrintable(letter)) return letter
  const near = nearly[letter]
  if (near) return near
  const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  return bare !== '' && [...bare].every(isPrintable) ? bare : '?'
}

const isPrintable = (letter: string) => /^[\x20-\x7e\xa0-\xff]$/.test(letter) || MORE.includes(letter)

/** Lines no wider than `width`; a word that is wider is broken. Takes time in proportion to the text. */
export function wrap(text: string, width: number, widthOf: (text: string) => number): string[] {
  const fitting = (part: string) => fittingLength(part, width, widthOf)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const together = `${line} ${word}`
    if (line !== '' && fitting(together) === together.length) {
      line = together
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    for (let fits = fitting(line); fits < line.length; fits = fitting(line)) {
      lines.push(line.slice(0, fits))
      line = line.slice(fits)
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** How many characters of a text fit, at least one. Measures at most twice as many, because a text may be long. */
function fittingLength(text: string, width: number, widthOf: (text: string) => number): number {
  const fits = (length: number) => widthOf(text.slice(0, length)) <= width
  let least = 1
  let tooMany = 2
  while (tooMany <= text.length && fits(tooMany)) {
    least = tooMany
    tooMany *= 2
  }
  if (least === text.length) return least
  tooMany = Math.min(tooMany, text.length + 1)
  while (tooMany - least > 1) {
    const middle = Math.floor((least + tooMany) / 2)
    if (fits(middle)) least = middle
    else tooMany = middle
  }
  return Math.min(least, text.length)
}
