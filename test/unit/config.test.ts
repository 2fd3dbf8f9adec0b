import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Flags, ignoredVariables, readConfig, readFlags } from '../../src/cli/config.ts'
import { createLog, type LogSettings } from '../../src/cli/log.ts'
import { prepareTls, tlsPortOf } from '../../src/cli/tls.ts'
import { settings } from '../../src/settings.ts'
import { UsageProblem } from '../../src/terminal/errors.ts'
import { makeFolder } from '../support/new-folder.ts'

describe('the configuration', () => {
  it('has a default for everything that needs one', () => {
    expect(readConfig({}, {})).toMatchObject({
      port: 4080,
      host: '127.0.0.1',
      apiKey: 'sk_us_petri',
      webhookUrl: undefined,
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      controlToken: undefined,
      authHeaders: ['x-service-api-key', 'x-petri-api-key', 'x-vital-api-key'],
      data: '.petri',
      durable: false,
      seed: '1',
      frozen: false,
      now: undefined,
      pace: 8640,
      scenario: 'happy-path',
      scenarios: undefined,
      seeds: undefined,
      log: 'info',
      logFormat: 'pretty',
    })
  })

  it('takes flags over the environment, and the environment over defaults', () => {
    const environment = { PETRI_PORT: '5000', PETRI_SEED: 'blue', PETRI_NOW: '2026-01-05' }
    const config = readConfig({ port: '6000', frozen: true }, environment)
    expect(config).toMatchObject({ port: 6000, seed: 'blue', frozen: true, now: Date.UTC(2026, 0, 5) })
  })

  it('takes an empty variable as one that is not set, as compose files leave them', () => {
    expect(readConfig({}, { PETRI_WEBHOOK_URL: '', PETRI_PORT: '', PETRI_PROT: '' })).toMatchObject({
      webhookUrl: undefined,
      port: 4080,
    })
  })

  it.each([
    ['PETRI_PROT', ' Did you mean "PETRI_PORT"?'],
    ['PETRI_SCENARIO_LATER', ' Did you mean "PETRI_SCENARIOS_LATER"?'],
    ['PETRI_WEBHOOK', ' Did you mean "PETRI_WEBHOOK_URL"?'],
    ['PETRI_WATCH', ''],
    ['PETRI_ETL_FOLDER', ' Did you mean "PETRI_TLS_FOLDER"?'],
    ['PETRI_', ''],
  ])('refuses %s, which it does not know, naming the nearest', (name, remedy) => {
    const refused = () => readConfig({}, { [name]: '1', HOME: '/root' })
    expect(refused).toThrow(new UsageProblem(`There is no setting ${name}.${remedy}`))
  })

  it('knows every variable of the documentation', () => {
    const pages = ['README.md', ...readdirSync('docs').map((page) => `docs/${page}`)].filter((page) =>
      page.endsWith('.md'),
    )
    const named = pages.flatMap((page) => readFileSync(page, 'utf8').match(/PETRI_[A-Z][A-Z_]*/g) ?? [])
    // A typing error, and a variable of Kubernetes.
    const others = ['PETRI_FROZN', 'PETRI_SANDBOX_PORT']
    const known = [...new Set(named)].filter((name) => !others.includes(name))
    expect(known).toEqual(expect.arrayContaining(['PETRI_COMMAND', 'PETRI_IMAGE']))
    expect(() => readConfig({}, Object.fromEntries(known.map((name) => [name, ''])))).not.toThrow()
  })

  it('takes port and folder of TLS only with TLS itself', async () => {
    const refusal = (flag: string, variable: string) =>
      `${flag} (${variable}) needs --tls (PETRI_TLS=true), which switches TLS on.`
    const prepare = (flags: Flags) => prepareTls(readConfig(flags, {}))
    await expect(prepare({ tlsPort: '0' })).rejects.toThrow(refusal('--tls-port', 'PETRI_TLS_PORT'))
    await expect(prepare({ tls: 'false', tlsFolder: 'tls' })).rejects.toThrow(
      refusal('--tls-folder', 'PETRI_TLS_FOLDER'),
    )
    expect(await prepare({})).toBeUndefined()
    expect(tlsPortOf(readConfig({ tls: true }, {}))).toBe(4443)
    expect(tlsPortOf(readConfig({ tls: true, tlsPort: '0' }, {}))).toBe(0)
  })

  it('leaves out what Kubernetes sets, and only that', () => {
    const cluster = { PETRI_PORT: 'tcp://10.0.0.1:80', PETRI_DB_SERVICE_PORT: '1', PETRI_DB_PORT_1_UDP: 'x' }
    expect(readConfig({}, cluster)).toMatchObject({ port: 4080 })
    expect(ignoredVariables({ ...cluster, PETRI_SEED: 'x' })).toEqual(Object.keys(cluster))
    expect(() => readConfig({}, { PETRI_PORT: 'http://10.0.0.1:80' })).toThrow('a whole number')
    expect(() => readConfig({}, { PETRI_SERVICE: '10.0.0.1' })).toThrow('no setting PETRI_SERVICE')
  })

  it('leaves out what a legacy link of Docker sets, and only that', () => {
    const link = {
      PETRI_NAME: '/build/petri',
      PETRI_ENV_PETRI_API_KEY: 'sk_us_theirs',
      PETRI_ENV_NODE_VERSION: '24.1.0',
      PETRI_PORT: 'tcp://172.17.0.2:4080',
      PETRI_PORT_4080_TCP_ADDR: '172.17.0.2',
    }
    expect(readConfig({}, link)).toMatchObject({ port: 4080, apiKey: 'sk_us_petri' })
    expect(ignoredVariables(link)).toEqual(Object.keys(link))
    expect(() => readConfig({}, { PETRI_NAME: 'petri' })).toThrow('no setting PETRI_NAME')
    expect(() => readConfig({}, { PETRI_ENV_SEED: '1' })).toThrow('no setting PETRI_ENV_SEED')
  })

  it('reads a secret from the file that a variable names', () => {
    const file = join(makeFolder('petri-secret-'), 'key')
    writeFileSync(file, 'sk_us_mounted\n')
    expect(readConfig({}, { PETRI_API_KEY_FILE: file })).toMatchObject({ apiKey: 'sk_us_mounted' })
    expect(readConfig({ apiKey: 'sk_us_flag' }, { PETRI_API_KEY_FILE: file })).toMatchObject({
      apiKey: 'sk_us_flag',
    })
    writeFileSync(file, ' \n')
    expect(() => readConfig({}, { PETRI_API_KEY_FILE: file })).toThrow(
      `PETRI_API_KEY_FILE names a file that is empty: ${file}`,
    )
    expect(() => readConfig({}, { PETRI_WEBHOOK_SECRET_FILE: `${file}.missing` })).toThrow(
      'PETRI_WEBHOOK_SECRET_FILE names a file that cannot be read: ENOENT',
    )
    expect(() => readConfig({}, { PETRI_API_KEY: 'sk_us_a', PETRI_API_KEY_FILE: file })).toThrow(
      'PETRI_API_KEY and PETRI_API_KEY_FILE are both set',
    )
    expect(() => readConfig({}, { PETRI_PORT_FILE: file })).toThrow('no setting PETRI_PORT_FILE')
  })

  it.each([
    ['PETRI_API_KEY', 'two words'],
    ['PETRI_WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
    ['PETRI_CONTROL_TOKEN', 'hunter 2'],
    ['PETRI_MANAGEMENT_KEY', 'mg two'],
  ])('does not repeat the value of %s', (variable, text) => {
    const refusal = () => readConfig({}, { [variable]: text })
    expect(refusal).toThrow(UsageProblem)
    expect(refusal).toThrow(`${variable} should be`)
    expect(refusal).not.toThrow(text)
  })

  it.each([
    ['PETRI_PORT', '65536', 'a whole number from 0 to 65535'],
    ['PETRI_PORT', 'http', 'a whole number from 0 to 65535'],
    ['PETRI_FROZEN', 'maybe', 'true or false'],
    ['PETRI_NOW', 'yesterday', 'an ISO 8601 date or instant'],
    ['PETRI_NOW', '+275760-09-13T00:00:00.001Z', 'an ISO 8601 date or instant'],
    ['PETRI_NOW', '8640000000000001', 'an ISO 8601 date or instant'],
    ['PETRI_PACE', '0', 'a number above 0'],
    ['PETRI_PACE', 'Infinity', 'a number above 0'],
    ['PETRI_WEBHOOK_URL', 'localhost:3000', 'an http or https URL'],
    ['PETRI_AUTH_HEADERS', 'x key', 'header names'],
    ['PETRI_LOG', 'loud', 'debug, info, warn, error or silent'],
    ['PETRI_LOG', 'info,json', 'debug, info, warn, error or silent'],
    ['PETRI_LOG_FORMAT', 'xml', 'pretty or json'],
    ['PETRI_SCENARIO', 'two words', 'one word'],
    ['PETRI_DATA', ':memory:', 'a folder, or "memory", which stores nothing'],
    ['PETRI_DATA', 'Memory', 'a folder, or "memory", which stores nothing'],
  ])('refuses %s=%s in words', (variable, text, expected) => {
    const refusal = () => readConfig({}, { [variable]: text })
    expect(refusal).toThrow(UsageProblem)
    expect(refusal).toThrow(`${variable} should be`)
    expect(refusal).toThrow(expected)
    expect(refusal).toThrow(`"${text}"`)
  })

  it.each(['memory', './memory', 'memory-of-ada', '.petri'])('takes %s for the data', (text) => {
    expect(readConfig({ data: text }, {}).data).toBe(text)
  })

  it('tells everything that is wrong at once, by the name it was given under', () => {
    expect(() => readConfig({ port: 'x' }, { PETRI_PACE: '-1', PETRI_PORT: '5000' })).toThrow(
      /^--port should .*\nPETRI_PACE should .*$/,
    )
  })

  it('names flag and variable of a setting alike', () => {
    for (const { flag, variable } of Object.values(settings)) {
      expect(variable).toBe(`PETRI_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`)
    }
  })
})

describe('flags', () => {
  it('take their value after a blank or an equals sign', () => {
    const args = ['--port', '5000', '--webhook-url=http://127.0.0.1/?a=b', '--frozen', '--seed', 'blue']
    expect(readFlags(args)).toEqual({
      port: '5000',
      webhookUrl: 'http://127.0.0.1/?a=b',
      frozen: true,
      seed: 'blue',
    })
    expect(readFlags(['--frozen', 'false'])).toEqual({ frozen: 'false' })
  })

  it.each([
    [['--prot', '1'], 'There is no flag --prot. Did you mean "--port"?'],
    [['--port'], '--port should be followed by <number>.'],
    [['--port', '--frozen'], '--port should be followed by <number>.'],
    [['--json'], 'There is no flag --json.'],
    [['--watch'], 'There is no flag --watch.'],
    [['4080'], '"4080" is not expected here.'],
  ])('are refused in words: %s', (args, message) => {
    expect(() => readFlags(args)).toThrow(message)
  })
})

describe('the log', () => {
  const linesOf = (level: LogSettings['level'], format: LogSettings['format'] = 'pretty') => {
    const lines: string[] = []
    const log = createLog({ level, format }, { write: (line) => lines.push(line) })
    log.debug('one')
    log.warn('two', { because: 'three' })
    return lines
  }

  it('is readable, and JSON lines when asked for', () => {
    expect(linesOf('info')).toEqual(['warn: two because=three\n'])
    expect(linesOf('info', 'json').map((line) => JSON.parse(line))).toEqual([
      { time: expect.any(String), level: 'warn', message: 'two', because: 'three' },
    ])
    expect(linesOf('debug', 'json')).toHaveLength(2)
    expect(linesOf('silent')).toEqual([])
  })
})
