import { styleText } from 'node:util'

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Colours a text on a terminal, unless NO_COLOR or a similar variable is set. */
export const paint = (text: string, colour: Colour): string => styleText(colour, text)

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
