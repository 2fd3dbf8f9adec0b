type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Escape codes of a terminal. Source: ECMA-48, select graphic rendition. */
const CODES: Readonly<Record<Colour, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
}

/** Colours a text where a person reads it on a terminal; NO_COLOR and the like are heeded by Node. */
export function paint(text: string, colour: Colour): string {
  if (!process.stdout.isTTY || !process.stdout.hasColors()) return text
  const [on, off] = CODES[colour]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Lines of cells, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `2026-01-05 09:00:00`, UTC. */
export const readable = (instant: string): string => instant.slice(0, 19).replace('T', ' ')

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

/** `1 message`, `2 messages`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
