import { wallClock } from '../kernel/clock.ts'
import { toIso } from '../kernel/instant.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
const forms = ['json', 'pretty'] as const
type Level = (typeof levels)[number]

export interface LogSettings {
  readonly level: Level
  /** Format of the lines; undefined means pretty on a terminal and JSON elsewhere. */
  readonly form: (typeof forms)[number] | undefined
}

/** The fields of a message. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  readonly pretty: boolean
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** `debug`, `json` or `debug,json`. */
export function readLogSettings(text: string): LogSettings {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const level = levels.find((known) => words.includes(known))
  const form = forms.find((known) => words.includes(known))
  if (words.length !== Number(level !== undefined) + Number(form !== undefined)) {
    throw new Error(`should be one of ${levels.join(', ')}, with ",json" or ",pretty" after it if you like`)
  }
  return { level: level ?? 'info', form }
}

/** Writes readable lines on a terminal and JSON elsewhere. */
export function createLog(
  { level, form }: LogSettings,
  write: (line: string) => void,
  isTerminal: boolean,
): Log {
  const pretty = form === undefined ? isTerminal : form === 'pretty'
  const lineOf = pretty ? prettyLine : jsonLine
  const at = (of: Level) =>
    levels.indexOf(of) < levels.indexOf(level)
      ? () => undefined
      : (message: string, fields: LogFields = {}) => write(`${lineOf(of, message, fields)}\n`)
  return { pretty, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const jsonLine = (level: Level, message: string, fields: LogFields) =>
  JSON.stringify({ time: toIso(wallClock()), level, message, ...fields })

function prettyLine(level: Level, message: string, fields: LogFields): string {
  const rest = Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' && value.includes('\n') ? `\n${value}` : ` ${name}=${value}`,
  )
  return `${level === 'info' ? '' : `${level}: `}${message}${rest.join('')}`
}
