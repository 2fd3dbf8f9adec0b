import { defaults } from '../defaults.ts'
import { type LogSettings, readLogSettings } from './log.ts'
import {
  readBoolean,
  readDuration,
  readHeaderNames,
  readInstant,
  readLimit,
  readPace,
  readPort,
  readPublicUrl,
  readSecret,
  readText,
  readUrl,
  readWord,
} from './setting-values.ts'

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
  publicUrl: setting({
    flag: '--public-url',
    variable: 'PETRI_PUBLIC_URL',
    takes: '<url>',
    help: 'address of this Petri behind a proxy; links in answers, webhooks and the page begin with it',
    read: readPublicUrl,
  }),
  openWorlds: setting({
    flag: '--open-worlds',
    variable: 'PETRI_OPEN_WORLDS',
    takes: '[true|false]',
    help: 'every key such as `sk_us_abc` or `sk_eu_abc` opens a world of its own when it is first used',
    initially: 'false',
    read: readBoolean,
  }),
  worldTtl: setting({
    flag: '--world-ttl',
    variable: 'PETRI_WORLD_TTL',
    takes: '<duration>',
    help: 'an open world is dropped when it was not called for so long',
    initially: '24h',
    read: readDuration,
  }),
  worldLimit: setting({
    flag: '--world-limit',
    variable: 'PETRI_WORLD_LIMIT',
    takes: '<number>',
    help: 'the most open worlds; for one more, the one unused for longest is dropped',
    initially: '5000',
    read: readLimit,
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
    help: 'delete the worlds and snapshots in the folder first',
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
    takes: '<scenario>',
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
    help: 'debug, info (with a line for each call), warn, error or silent; add ",json" or ",pretty" to choose the format',
    initially: 'info',
    read: readLogSettings,
  }),
}
