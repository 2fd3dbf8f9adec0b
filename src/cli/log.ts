import { defaults } from '../defaults.ts'
import { wallClock } from '../kernel/clock.ts'
import { toIso } from '../kernel/instant.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { PetriOptions } from '../petri.ts'
import { type logFormats, logLevels } from '../settings.ts'
import type { Output } from '../terminal/context.ts'
import { paint, printable } from '../terminal/output.ts'

type Level = (typeof logLevels)[number]

export interface LogSettings {
  readonly level: Level
  readonly format: (typeof logFormats)[number]
}

export interface Log {
  readonly pretty: boolean
  /** Whether messages of this level are written. */
  isOn(level: Level): boolean
  /** Writes formatted lines. Drops them with a warning if the reader of the log is too far behind. */
  writeLines(lines: readonly string[]): void
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

type Write = (message: string, fields?: JsonObject) => void

/** The number of waiting bytes of the log above which lines of calls are dropped. */
const MAX_WAITING = 1024 * 1024

/** Writes readable lines, also where the output is piped, unless the format is JSON. */
export function createLog({ level, format }: LogSettings, output: Output): Log {
  const pretty = format !== 'json'
  const lineOf = pretty ? prettyLine : jsonLine
  const isOn = (of: Level) => logLevels.indexOf(of) >= logLevels.indexOf(level)
  const at = (of: Level): Write =>
    isOn(of)
      ? (message, fields = {}) => void output.write(`${lineOf(of, message, fields)}\n`)
      : () => undefined
  const warn = at('warn')
  let dropped = 0
  const writeLines = (lines: readonly string[]) => {
    if ((output.writableLength ?? 0) > MAX_WAITING) {
      dropped += lines.length
      return
    }
    if (dropped > 0) warn('The log was read too slowly, and calls are missing from it', { calls: dropped })
    dropped = 0
    output.write(`${lines.join('\n')}\n`)
  }
  return { pretty, isOn, writeLines, debug: at('debug'), info: at('info'), warn, error: at('error') }
}

export const jsonLine = (level: Level, message: string, fields: JsonObject = {}): string =>
  JSON.stringify({ time: toIso(wallClock()), level, message, ...fields })

function prettyLine(level: Level, message: string, fields: JsonObject): string {
  const rest = Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' && value.includes('\n') ? `\n${value}` : ` ${name}=${value}`,
  )
  return `${level === 'info' ? '' : `${level}: `}${message}${rest.join('')}`
}

type LogCalls = NonNullable<PetriOptions['logCalls']>
type LoggedCall = Parameters<LogCalls>[0][number]

/** A refused call is a warning: a wrong key, or an id that does not exist. */
const levelOf = (status: number): Level => (status >= 400 ? 'warn' : 'info')

/** Logs a line for each call whose level is on; undefined if none can be. */
export function callLogger(log: Log): LogCalls | undefined {
  if (!log.isOn('warn')) return undefined
  const lineOf = log.pretty ? prettyCall : jsonCall
  return (calls) => {
    const logged = calls.filter(({ status }) => log.isOn(levelOf(status)))
    if (logged.length > 0) log.writeLines(logged.map(lineOf))
  }
}

function jsonCall({ at, requestId, operation, teamId, ignored, ...call }: LoggedCall): string {
  const ids = { request_id: requestId, operation }
  return JSON.stringify({
    time: toIso(at),
    level: levelOf(call.status),
    message: 'call',
    ...ids,
    ...call,
    team_id: teamId,
    ignored,
  })
}

/** The maximum number of ignored fields in a line. */
const MAX_IGNORED = 8

function prettyCall({ at, method, path, status, detail, ms, world, teamId, ignored }: LoggedCall): string {
  const shown = ignored.slice(0, MAX_IGNORED).map(printable)
  if (ignored.length > MAX_IGNORED) shown.push(`${ignored.length - MAX_IGNORED} more`)
  const parts = [
    `${paint(toIso(at).slice(11, 19), 'dim')} ${method} ${printable(path)} ${paint(String(status), statusColour(status))} ${ms} ms`,
    world === null ? 'no world' : printable(worldLabel(world, teamId)),
  ]
  if (detail) parts.push(printable(detail))
  if (shown.length > 0) parts.push(paint(`ignored fields: ${shown.join(', ')}`, 'yellow'))
  return parts.join('  ')
}

/** The name of a world; with the beginning of its team id where it has the name that worlds without one get. */
const worldLabel = (name: string, teamId: string | null): string =>
  name === defaults.worldName && teamId !== null ? `${name} ${teamId.slice(0, 8)}` : name

function statusColour(status: number): 'red' | 'yellow' | 'green' {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
