import { stripVTControlCharacters, styleText } from 'node:util'
import { largest, sumOf } from '../kernel/list.ts'
import { startInterval, startTimer } from '../kernel/pause.ts'
import { currentContext, type Output, print } from './context.ts'

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Colours a text on a terminal, unless NO_COLOR or a similar variable is set. */
export const paint = (text: string, colour: Colour): string => styleText(colour, text)

/**
 * Lines of cells, each column as wide as its widest cell, below their heads if there are any. On a terminal the
 * widest columns are cut until a line fits; what is piped elsewhere is whole.
 */
export function columns(
  rows: readonly (readonly string[])[],
  heads?: readonly string[],
  terminalWidth: number | undefined = currentContext().stdout.columns,
): string {
  const all = heads ? [heads, ...rows] : rows
  const widest = (all[0] ?? []).map((_, at) => largest(all.map((row) => lengthOf(row[at] ?? ''))))
  const widths = terminalWidth === undefined ? widest : fitted(widest, terminalWidth)
  const lines = all.map((row) =>
    row
      .map((cell, at) => inWidth(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
  const [first = '', ...rest] = lines
  return (heads ? [paint(first, 'dim'), ...rest] : lines).join('\n')
}

const GAP = '  '
/** The minimum width of a column that is cut. */
const NARROW = 8

function fitted(widest: readonly number[], terminalWidth: number): number[] {
  const widths = [...widest]
  const space = () => sumOf(widths) + GAP.length * (widths.length - 1)
  while (space() > terminalWidth) {
    const width = largest(widths)
    if (width <= NARROW) break
    widths[widths.lastIndexOf(width)] = width - 1
  }
  return widths
}

/** The length of a cell without its colours. */
const lengthOf = (cell: string): number => stripVTControlCharacters(cell).length

/** Pads a cell, or cuts it, which takes its colours. */
function inWidth(cell: string, width: number): string {
  const length = lengthOf(cell)
  return length <= width
    ? cell + ' '.repeat(width - length)
    : `${stripVTControlCharacters(cell).slice(0, width - 1)}\u2026`
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** The maximum length of text from a client in a line. */
const MAX_TEXT = 200

/** Shortens a text and removes control characters, because a client's text could change the terminal. */
export const printable = (text: string): string =>
  text.slice(0, MAX_TEXT).replace(/\p{Cc}/gu, ' ') + (text.length > MAX_TEXT ? '...' : '')

/** Milliseconds after which the progress of a call is shown. */
const LONG_MS = 1000

/** Shows on a terminal how long a call has been running; the line is removed at the end. */
export async function showProgress<Value>(
  work: Promise<Value>,
  terminal: Output = currentContext().stderr,
): Promise<Value> {
  if (!terminal.isTTY) return work
  let seconds = 1
  let shown = false
  const show = () => {
    shown = true
    terminal.write(`\r\u001b[2Kwaiting, ${seconds++} s`)
  }
  let stop = startTimer(LONG_MS, () => {
    show()
    stop = startInterval(LONG_MS, show)
  })
  try {
    return await work
  } finally {
    stop()
    if (shown) terminal.write('\r\u001b[2K')
  }
}
