import type { Piece } from './pdf.ts'

/** Very long texts are read only in part. */
const MOST_PIECES = 20_000
interface Cursor {
  /** Where the line began, and where the next text goes. */
  x: number
  y: number
  leading: number
}

/** The texts a page's content shows, with their places. Source: ISO 32000-1, 9.4. */
export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = []
  const cursor: Cursor = { x: 0, y: 0, leading: 0 }
  let operands: string[] = []
  for (const token of tokensOf(content)) {
    if (pieces.length >= MOST_PIECES) break
    const place = Object.hasOwn(places, token) ? places[token] : undefined
    if (place) place(cursor, operands.map(Number))
    if (token === "'" || token === '"') nextLine(cursor)
    if (shows.has(token)) {
      const text = textOf(operands)
      if (text !== '') pieces.push({ text, x: cursor.x, y: cursor.y })
    }
    if (isOperator(token)) operands = []
    else if (operands.length < 4096) operands.push(token)
  }
  return pieces
}

/** Texts whole, in their brackets; numbers, names and operators one by one. */
function* tokensOf(content: string): Generator<string> {
  for (let at = 0; at < content.length; ) {
    const first = content[at] ?? ''
    const end =
      first === '(' ? endOfText(content, at) : first === '<' ? endOfHex(content, at) : endOfWord(content, at)
    if (!/\s/.test(first)) yield content.slice(at, end)
    at = end
  }
}

/** Brackets nest; a backslash takes the meaning from the next character. */
function endOfText(content: string, start: number): number {
  let depth = 0
  for (let at = start; at < content.length; at++) {
    const character = content[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return content.length
}

function endOfHex(content: string, start: number): number {
  if (content[start + 1] === '<') return start + 2
  const end = content.indexOf('>', start)
  return end === -1 ? content.length : end + 1
}

function endOfWord(content: string, start: number): number {
  let end = start + 1
  if (/[\s[\]>{})]/.test(content[start] ?? '')) return end
  while (end < content.length && !/[\s()<>[\]{}/]/.test(content[end] ?? '')) end++
  return end
}

const shows: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
const isOperator = (token: string) => /^([A-Za-z][A-Za-z0-9]*\*?|'|")$/.test(token)

const nextLine = (cursor: Cursor) => {
  cursor.y -= cursor.leading
}

function moveBy(cursor: Cursor, x = 0, y = 0): void {
  cursor.x += x
  cursor.y += y
}

const places: Readonly<Record<string, (cursor: Cursor, numbers: readonly number[]) => void>> = {
  BT: (cursor) => Object.assign(cursor, { x: 0, y: 0 }),
  Td: (cursor, [x, y]) => moveBy(cursor, x, y),
  TD(cursor, [x, y = 0]) {
    cursor.leading = -y
    moveBy(cursor, x, y)
  },
  TL(cursor, [leading = 0]) {
    cursor.leading = leading
  },
  Tm: (cursor, [, , , , x = 0, y = 0]) => Object.assign(cursor, { x, y }),
  'T*': nextLine,
}

/** In a list of texts, a number below this moves on by the width of a blank. */
const BLANK = -180

function textOf(operands: readonly string[]): string {
  const parts = operands.map((operand) => {
    if (operand.startsWith('(')) return unescaped(operand.slice(1, -1))
    if (/^<[0-9A-Fa-f\s]*>$/.test(operand)) return fromHex(operand)
    return Number(operand) < BLANK ? ' ' : ''
  })
  const text = parts.join('')
  // Codes of two bytes, and other things that are no Latin letters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /[\x00-\x08\x0e-\x1f]/.test(text) ? '' : text.trim()
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' }

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, code: string) =>
    /^[0-7]/.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8) & 255)
      : (escapes[code] ?? code.trim()),
  )

const fromHex = (operand: string): string =>
  Buffer.from(operand.replace(/[^0-9A-Fa-f]/g, ''), 'hex').toString('latin1')

/** Points by which texts of one line may differ in height. */
const LINE_HEIGHT = 2

/** The lines of a page from top to bottom; what stands apart in a line is parted by two blanks. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const lines = new Map<number, Piece[]>()
  for (const piece of pieces) {
    const at = Math.round(piece.y / LINE_HEIGHT)
    const near = [at, at + 1, at - 1].find((key) => lines.has(key)) ?? at
    const line = lines.get(near) ?? []
    line.push(piece)
    lines.set(near, line)
  }
  return [...lines]
    .sort(([a], [b]) => b - a)
    .flatMap(([, line]) =>
      line
        .sort((a, b) => a.x - b.x)
        .map(({ text }) => text)
        .join('  ')
        .split(/[\r\n]+/),
    )
}
