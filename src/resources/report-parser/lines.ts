/** A text and its place on the page, in points; `y` is counted upwards. */
export interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Points by which texts of one line may differ in height. */
const LINE_HEIGHT = 2

/** The lines of a page from top to bottom; cells of a table are separated by two spaces. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const lines = new Map<number, Piece[]>()
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue
    const at = Math.round(piece.y / LINE_HEIGHT)
    const near = [at, at + 1, at - 1].find((key) => lines.has(key)) ?? at
    const line = lines.get(near) ?? []
    line.push(piece)
    lines.set(near, line)
  }
  return [...lines].sort(([a], [b]) => b - a).map(([, line]) => joined(line))
}

/** Gaps between two texts, as parts of the height of the letters. */
const WORD_GAP = 0.15
const CELL_GAP = 0.9

function joined(line: Piece[]): string {
  let text = ''
  let end = 0
  for (const piece of line.sort((a, b) => a.x - b.x)) {
    const gap = (piece.x - end) / (piece.height || 10)
    if (text !== '') text += gap > CELL_GAP ? '  ' : gap > WORD_GAP ? ' ' : ''
    text += piece.text.trim()
    end = piece.x + piece.width
  }
  return text
}
