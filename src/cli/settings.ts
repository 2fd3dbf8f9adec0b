import { defaults } from '../defaults.ts'
import { fromIso } from '../kernel/instant.ts'
import { type LogSettings, readLogSettings } from './log.ts'

/** A setting with its flag, variable and default. */
export interface Setting<Value = unknown> {
  readonly flag: string
  readonly variable: string
  /** The argument of the flag, as shown in the help; in brackets if optional. */
  readonly takes: string
  readonly help: string
  readonly initially?: string
  /** Parses the text; throws an Error that says what is expected. */
  read(text: string): Value
}

const setting = <Value>(declaration: Setting<Value>): Setting<Value> => declaration

export const settings = {
  port: setting({
    flag: '--port',
    variable: 'PETRI_PORT',
    takes: '<number>',
    help: 'port to listen on; 0 picks a free one',
    initially: String(defaults.port),
    read: readPort,
  }),
  host: setting({
    flag: '--host',
    variable: 'PETRI_HOST',
    takes: '<address>',
    help: 'address to listen on; 0.0.0.0 in a container',
    initially: defaults.host,
    read: readWord,
  }),
  apiKey: setting({
    flag: '--api-key',
    variable: 'PETRI_API_KEY',
    takes: '<key>',
    help: 'API key of the first world',
    initially: defaults.apiKey,
    read: readWord,
  }),
  webhookUrl: setting({
    flag: '--webhook-url',
    variable: 'PETRI_WEBHOOK_URL',
    takes: '<url>',
    help: 'URL the first world sends its webhooks to',
    read: readUrl,
  }),
  webhookSecret: setting({
    flag: '--webhook-secret',
    variable: 'PETRI_WEBHOOK_SECRET',
    takes: '<secret>',
    help: 'secret that signs the webhooks',
    initially: defaults.webhookSecret,
    read: readSecret,
  }),
  controlToken: setting({
    flag: '--control-token',
    variable: 'PETRI_CONTROL_TOKEN',
    takes: '<token>',
    help: 'bearer token that creates and deletes worlds; without it, only this machine can',
    read: readWord,
  }),
  managementKey: setting({
    flag: '--management-key',
    variable: 'PETRI_MANAGEMENT_KEY',
    takes: '<key>',
    help: `key of the management API; default ${defaults.managementKey}, from this machine only and not with a control token`,
    read: readWord,
  }),
  authHeaders: setting({
    flag: '--auth-headers',
    variable: 'PETRI_AUTH_HEADERS',
    takes: '<names>',
    help: 'headers that can carry the API key, besides Authorization: Bearer',
    initially: defaults.authHeaders.join(','),
    read: readHeaderNames,
  }),
  data: setting({
    flag: '--data',
    variable: 'PETRI_DATA',
    takes: '<folder>',
    help: 'folder for the worlds; "memory" stores nothing',
    initially: defaults.dataFolder,
    read: readText,
  }),
  fresh: setting({
    flag: '--fresh',
    variable: 'PETRI_FRESH',
    takes: '[true|false]',
    help: 'delete the worlds and snapshots in the folder first, and begin anew',
    initially: 'false',
    read: readBoolean,
  }),
  seed: setting({
    flag: '--seed',
    variable: 'PETRI_SEED',
    takes: '<text>',
    help: 'seed of every id, name and number of the first world',
    initially: defaults.seed,
    read: readText,
  }),
  frozen: setting({
    flag: '--frozen',
    variable: 'PETRI_FROZEN',
    takes: '[true|false]',
    help: "the first world's clock changes only when it is advanced",
    initially: 'false',
    read: readBoolean,
  }),
  now: setting({
    flag: '--now',
    variable: 'PETRI_NOW',
    takes: '<instant>',
    help: "where the first world's clock starts, such as 2026-01-05T09:00:00Z (default: now)",
    read: readInstant,
  }),
  pace: setting({
    flag: '--pace',
    variable: 'PETRI_PACE',
    takes: '<factor>',
    help: 'factor by which simulated waits are shortened; with 8640 a day takes ten seconds',
    initially: String(defaults.pace),
    read: readPace,
  }),
  scenario: setting({
    flag: '--scenario',
    variable: 'PETRI_SCENARIO',
    takes: '<name>',
    help: 'scenario of orders that choose no other',
    initially: defaults.scenario,
    read: readWord,
  }),
  scenarios: setting({
    flag: '--scenarios',
    variable: 'PETRI_SCENARIOS',
    takes: '<folder>',
    help: 'folder of your own scenarios, added to the bundled ones',
    read: readText,
  }),
  seeds: setting({
    flag: '--seeds',
    variable: 'PETRI_SEEDS',
    takes: '<folder>',
    help: 'folder of your own catalogue data, added to the bundled ones',
    read: readText,
  }),
  etlFolder: setting({
    flag: '--etl-folder',
    variable: 'PETRI_ETL_FOLDER',
    takes: '<folder>',
    help: 'folder below which ETL pipelines may be delivered as files',
    read: readText,
  }),
  log: setting<LogSettings>({
    flag: '--log',
    variable: 'PETRI_LOG',
    takes: '<level>',
    help: 'debug, info, warn, error or silent; add ",json" or ",pretty" to choose the format',
    initially: 'info',
    read: readLogSettings,
  }),
}

function readText(text: string): string {
  if (text.trim() === '') throw new Error('should not be empty')
  return text
}

function readWord(text: string): string {
  if (!/^\S+$/.test(text)) throw new Error('should be one word')
  return text
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('should be a whole number from 0 to 65535')
  return port
}

function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error('should be an http or https URL')
  return text
}

function readSecret(text: string): string {
  const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text.slice(6), 'base64').length : 0
  if (bytes < 24 || bytes > 64) throw new Error('should be "whsec_" and Base64 of 24 to 64 bytes')
  return text
}

function readHeaderNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase())
  if (!names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))) {
    throw new Error('should be header names with commas between them')
  }
  return names
}

function readBoolean(text: string): boolean {
  const word = text.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new Error('should be true or false')
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
