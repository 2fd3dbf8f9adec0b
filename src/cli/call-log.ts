import { toIso } from '../kernel/instant.ts'
import type { PetriOptions } from '../petri.ts'
import type { Log } from './log.ts'
import { paint } from './output.ts'

type LogCalls = NonNullable<PetriOptions['logCalls']>
type LoggedCall = Parameters<LogCalls>[0][number]

/** Limits of a readable line: unread fields, and characters of a path or field name. */
const MAX_UNREAD = 8
const MAX_LETTERS = 200

/** Logs a line for each call; undefined if the log level excludes calls. */
export function callLogger(log: Log): LogCalls | undefined {
  if (!log.isOn('info')) return undefined
  const lineOf = log.pretty ? readableLine : jsonLine
  return (calls) => log.writeLines(calls.map(lineOf))
}

const jsonLine = ({ at, method, path, status, ms, world, teamId, unread }: LoggedCall) =>
  JSON.stringify({
    time: toIso(at),
    level: 'info',
    message: 'call',
    ...{ method, path, status, ms, world, team_id: teamId, unread },
  })

function readableLine({ at, method, path, status, ms, world, unread }: LoggedCall): string {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const head = `${paint(toIso(at).slice(11, 19), 'dim')} ${method} ${printable(path)} ${paint(String(status), colour)} ${ms} ms`
  const rest = unread.length > MAX_UNREAD ? [`${unread.length - MAX_UNREAD} more`] : []
  const names = [...unread.slice(0, MAX_UNREAD).map(printable), ...rest]
  const told = names.length > 0 ? `  ${paint(`unread: ${names.join(', ')}`, 'yellow')}` : ''
  return `${head}  ${world === null ? 'no world' : printable(world)}${told}`
}

/** Removes control characters, because a client's text could change the terminal. */
const printable = (text: string) =>
  text.slice(0, MAX_LETTERS).replace(/\p{Cc}/gu, ' ') + (text.length > MAX_LETTERS ? '...' : '')
