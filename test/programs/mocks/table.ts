/** The versions of Node of which each cell of the table is run; 20 is the one that runs the tests. */
export const nodes = ['20', '22', '24'] as const

/** The libraries that mock clients, and the packages that they are. */
export const mocks: Readonly<Record<string, string>> = {
  'nock 13': 'nock-13',
  'nock 14': 'nock-14',
  'nock 15': 'nock-15',
  'MSW 2': 'msw-2',
  'MSW 3': 'msw-3',
  MockAgent: 'undici',
}

/** The libraries that observe clients, and the packages that they are. */
export const observers: Readonly<Record<string, string>> = {
  'vi.spyOn': '@vitest/spy',
  OpenTelemetry: '@opentelemetry/instrumentation-http',
  Sentry: '@sentry/node',
}

/** The clients, as clients.mjs names them. */
export const clients = [
  'axios 1.7.9',
  'axios',
  'fetch',
  'node:http(s)',
  'got',
  'undici',
  'superagent',
] as const
