import { styleText } from 'node:util'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/instant.ts'

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

/** `3d 4h`, the largest two units. */
export function inDays(ms: number): string {
  const units = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'm'],
    [SECOND_MS, 's'],
  ] as const
  let rest = ms
  const parts = units.flatMap(([size, unit]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count}${unit}`] : []
  })
  return parts.slice(0, 2).join(' ') || '0'
}
