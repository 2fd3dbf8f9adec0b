import type { Command } from 'commander'
import { defaults } from './defaults.ts'
import { parseDuration } from './kernel/duration.ts'
import { entriesOf } from './kernel/fields.ts'
import { fromIso } from './kernel/instant.ts'
import { histories, teamKinds } from './world/choices.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export const logFormats = ['pretty', 'json'] as const

interface Declaration<Value = unknown> {
  /** The argument of the flag, as shown in the help; in brackets if optional. */
  readonly takes: string
  readonly help: string
  readonly initially?: string
  /** It is never printed, and may come from a file. */
  readonly isSecret?: true
  /** Parses the text; throws an Error that says what is expected. */
  read(text: string): Value
}

/** A setting with its flag, variable and default. */
export interface Setting extends Declaration {
  /** Such as `--api-key`. */
  readonly flag: string
  /** Such as `PETRI_API_KEY`. */
  readonly variable: string
  /** Names a file with the value of a secret, such as `PETRI_API_KEY_FILE`. */
  readonly fileVariable?: string
}

const trueOrFalse = (help: string) => ({
  takes: '[true|false]',
  help,
  initially: 'false',
  read: readBoolean,
})

const anyFolder = (help: string) => ({ takes: '<folder>', help, read: readText })

const declarations = {
  port: {
    takes: '<number>',
    help: 'port to listen on; 0 picks a free one',
    initially: String(defaults.port),
    read: wholeNumber(0, 65_535),
  },
  host: {
    takes: '<address>',
    help: 'address to listen on; 0.0.0.0 in a container',
    initially: defaults.host,
    read: readWord,
  },
  tls: trueOrFalse('also serve the host names of the live service over TLS'),
  tlsPort: {
    takes: '<number>',
    help: 'port for TLS, with --tls (default: 4443)',
    read: wholeNumber(0, 65_535),
  },
  tlsFolder: anyFolder('folder that keeps the certificate authority, with --tls'),
  apiKey: {
    takes: '<key>',
    help: 'API key of the first world',
    initially: defaults.apiKey,
    isSecret: true,
    read: readWord,
  },
  webhookUrl: {
    takes: '<url>',
    help: 'URL the first world sends its webhooks to',
    read: readUrl,
  },
  webhookSecret: {
    takes: '<secret>',
    help: 'secret that signs the webhooks',
    initially: defaults.webhookSecret,
    isSecret: true,
    read: readSecret,
  },
  controlToken: {
    takes: '<token>',
    help: 'bearer token that creates and deletes worlds and reads metrics; without it, only this machine can',
    isSecret: true,
    read: readWord,
  },
  managementKey: {
    takes: '<key>',
    help: `key of the management API; default ${defaults.managementKey}, from this machine only and not with a control token`,
    isSecret: true,
    read: readWord,
  },
  authHeaders: {
    takes: '<names>',
    help: 'headers that can carry the API key, in addition to Authorization: Bearer',
    initially: defaults.authHeaders.join(','),
    read: readHeaderNames,
  },
  publicUrl: {
    takes: '<url>',
    help: 'address of this Petri behind a proxy; links in responses, webhooks and the page begin with it',
    read: readPublicUrl,
  },
  linkOrigins: {
    takes: '<origins>',
    help: 'origins such as http://localhost:5173, separated by commas, whose web pages may use link tokens and the widget',
    read: readOrigins,
  },
  openWorlds: {
    takes: '[true|false|any]',
    help: 'each key such as `sk_us_abc` or `sk_eu_abc` opens its own world when first used; with any, a key in any form',
    initially: 'false',
    read: readOpenWorlds,
  },
  worldTtl: {
    takes: '<duration>',
    help: 'how long an open world may be unused before it is deleted',
    initially: '24h',
    read: readDuration,
  },
  worldLimit: {
    takes: '<number>',
    help: 'maximum number of open worlds; another one replaces the least recently used',
    initially: '5000',
    read: wholeNumber(1, 9_999_999),
  },
  data: {
    takes: '<folder>',
    help: 'folder for the worlds; "memory" stores nothing',
    initially: defaults.dataFolder,
    read: readDataFolder,
  },
  durable: trueOrFalse(
    'sync each change to disk before the response, so that a power failure loses nothing; calls take longer',
  ),
  fresh: trueOrFalse('delete the worlds and snapshots in the folder first'),
  seed: {
    takes: '<text>',
    help: 'seed of every id, name and number of the first world',
    initially: defaults.seed,
    read: readText,
  },
  frozen: trueOrFalse("the first world's clock changes only when it is advanced"),
  now: {
    takes: '<instant>',
    help: "where the first world's clock starts, such as 2026-01-05T09:00:00Z (default: now)",
    read: readInstant,
  },
  pace: {
    takes: '<factor>',
    help: 'how fast scenarios run in a live world; with 8640 a day of a scenario takes 10 s, 1 is real time',
    initially: String(defaults.pace),
    read: readPace,
  },
  scenario: {
    takes: '<scenario>',
    help: 'default scenario of orders',
    initially: defaults.scenario,
    read: readWord,
  },
  like: {
    takes: '<team>',
    help: 'sandbox or production: default scenario, pace and features of the first world, as for such a team of the live service',
    read: oneOf(teamKinds),
  },
  adoptUsers: trueOrFalse('create an unknown user when a call names its id'),
  history: {
    takes: '<history>',
    help: 'full, 3d or none: how much history new connections to wearables pull',
    initially: 'full',
    read: oneOf(histories),
  },
  scenarios: anyFolder('folder of your own scenarios, added to the bundled ones'),
  scenariosLater: trueOrFalse('start without the folder of your scenarios, and read it when it appears'),
  attached: trueOrFalse('stop when standard input ends, so that no Petri outlives the test that started it'),
  seeds: anyFolder('folder of your own catalogue data, added to the bundled ones'),
  log: {
    takes: '<level>',
    help: 'debug, info (with a line for each call), warn, error or silent',
    initially: 'info',
    read: oneOf(logLevels),
  },
  logFormat: {
    takes: '<format>',
    help: 'pretty for people, or json: one line for each message',
    initially: 'pretty',
    read: oneOf(logFormats),
  },
} satisfies Readonly<Record<string, Declaration>>

export type SettingName = keyof typeof declarations
/** The value of a setting; undefined if it is not given and has no default. */
export type SettingValue<Name extends SettingName> =
  | ReturnType<(typeof declarations)[Name]['read']>
  | ((typeof declarations)[Name] extends { initially: string } ? never : undefined)

/** Every setting by name; its flag and variable follow from the name. */
export const settings = Object.fromEntries(
  Object.entries<Declaration>(declarations).map(([name, declaration]): [string, Setting] => {
    const word = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const variable = `PETRI_${word.toUpperCase().replaceAll('-', '_')}`
    const fileVariable = declaration.isSecret && `${variable}_FILE`
    return [name, { ...declaration, flag: `--${word}`, variable, ...(fileVariable && { fileVariable }) }]
  }),
) as Readonly<Record<SettingName, Setting>>

/** Settings of the first world. Its folder keeps them, and later starts do not change them. */
export const keptSettings = [
  'seed',
  'frozen',
  'now',
  'pace',
  'scenario',
  'like',
  'adoptUsers',
  'history',
  'webhookSecret',
] as const
export type KeptSetting = (typeof keptSettings)[number]

/** Adds the flags of all settings to a command; `other` are defaults that differ. */
export function addSettings(
  command: Command,
  other: Readonly<Partial<Record<SettingName, unknown>>> = {},
): void {
  for (const [name, { flag, takes, help, variable, initially }] of entriesOf(settings)) {
    const value = other[name] ?? initially
    command.option(`${flag} ${takes}`, `${help} [${variable}${value ? `: ${value}` : ''}]`)
  }
}

function readText(text: string): string {
  if (text.trim() === '') throw new Error('should be a text that is not empty')
  return text
}

/** `:memory:`, which SQLite takes, would be a folder of that name. */
function readDataFolder(text: string): string {
  if (text !== 'memory' && /^\W*memory\W*$/i.test(text) && !text.includes('/'))
    throw new Error('should be a folder, or "memory", which stores nothing')
  return readText(text)
}

function readWord(text: string): string {
  if (!/^\S+$/.test(text)) throw new Error('should be one word')
  return text
}

function wholeNumber(low: number, high: number) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d{1,7}$/.test(text) && number >= low && number <= high) return number
    throw new Error(`should be a whole number from ${low} to ${high}`)
  }
}

function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error('should be an http or https URL')
  return text
}

function readPublicUrl(text: string): string {
  const { search, hash, username } = new URL(readUrl(text))
  if (search || hash || username) throw new Error('should be a URL without user, query and fragment')
  return text.replace(/\/+$/, '')
}

function readOrigins(text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim())
  if (!origins.every((origin) => /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:-]+$/.test(origin)))
    throw new Error('should be origins such as http://localhost:5173, in lower case and separated by commas')
  return origins
}

function readDuration(text: string): number {
  const durationMs = parseDuration(text)
  if (!durationMs) throw new Error('should be a duration such as 90s, 12h or 7d')
  return durationMs
}

function readSecret(text: string): string {
  const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text.slice(6), 'base64').length : 0
  if (bytes < 24 || bytes > 64) throw new Error('should be "whsec_" and Base64 of 24 to 64 bytes')
  return text
}

function readHeaderNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  if (!names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))) {
    throw new Error('should be header names separated by commas')
  }
  return names
}

function readBoolean(text: string): boolean {
  const word = text.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new Error('should be true or false')
}

function readOpenWorlds(text: string): boolean | 'any' {
  if (text.toLowerCase() === 'any') return 'any'
  try {
    return readBoolean(text)
  } catch {
    throw new Error('should be true, false or any')
  }
}

function oneOf<Word extends string>(words: readonly Word[]) {
  return (text: string): Word => {
    const found = words.find((word) => word === text.trim().toLowerCase())
    if (!found) throw new Error(`should be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
    return found
  }
}

function readInstant(text: string): number {
  const instant = fromIso(text)
  if (instant === undefined) throw new Error('should be an ISO 8601 date or instant')
  return instant
}

function readPace(text: string): number {
  const pace = Number(text)
  if (!(pace > 0 && Number.isFinite(pace))) throw new Error('should be a number above 0')
  return pace
}
