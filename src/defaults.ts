import { headerNames } from './kernel/headers.ts'

/** Default values of settings. */
export const defaults = {
  host: '127.0.0.1',
  port: 4080,
  apiKey: 'sk_us_petri',
  /** Publicly known, so it is accepted from this machine only. */
  managementKey: 'mg_petri',
  authHeaders: [headerNames.apiKey, 'x-petri-api-key', headerNames.liveApiKey],
  /** Fixed, so that tests can use it; the last part is Base64 of 24 bytes. */
  webhookSecret: `whsec_${Buffer.from('petri-default-secret-1st').toString('base64')}`,
  worldName: 'Petri',
  dataFolder: '.petri',
  seed: '1',
  /** A day in ten seconds. */
  pace: 8640,
  scenario: 'happy-path',
} as const
