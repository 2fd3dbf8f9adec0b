import { readFileSync } from 'node:fs'
import { defaults } from '../defaults.ts'
import { programVariable, runVariable } from '../intercept/hosts.ts'
import { urlOf } from '../kernel/http-call.ts'
import { compact } from '../kernel/list.ts'
import { didYouMean } from '../kernel/nearest.ts'
import type { Environment } from '../kernel/platform.ts'
import { messageOf, reasonOf } from '../kernel/reason.ts'
import { type Setting, type SettingName, type SettingValue, settings } from '../settings.ts'
import type { ClientConfig } from '../terminal/client.ts'
import { currentContext } from '../terminal/context.ts'
import { UsageProblem } from '../terminal/errors.ts'
import { runningPetri } from './running.ts'

/** The values of all settings; those without a default may be undefined. */
export type Config = {
  readonly [Name in SettingName]: SettingValue<Name>
}

/** Flags as given on the command line, by setting; `true` is a flag without a value. */
export type Flags = { readonly [Name in SettingName]?: string | true | undefined }

/** Reads `--flag value` and `--flag=value`. */
export function readFlags(args: readonly string[]): Flags {
  const flags: Record<string, string | true> = {}
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const mark = arg.indexOf('=')
    const flag = mark === -1 ? arg : arg.slice(0, mark)
    const [name, setting] = Object.entries(settings).find(([, known]) => known.flag === flag) ?? []
    if (!name || !setting) throw new UsageProblem(`${unknownFlag(arg, flag)}${HELP}`)
    const value = mark === -1 ? takeValue(rest) : arg.slice(mark + 1)
    if (value === undefined && setting.takes.startsWith('<')) {
      throw new UsageProblem(`${flag} should be followed by ${setting.takes}.${HELP}`)
    }
    flags[name] = value ?? true
  }
  return flags
}

const HELP = '\n("npx petri-sandbox start --help" lists the flags)'

const takeValue = (rest: string[]) => (rest[0]?.startsWith('-') ? undefined : rest.shift())

function unknownFlag(arg: string, flag: string): string {
  const known = Object.values(settings).map((setting) => setting.flag)
  return flag.startsWith('-')
    ? `There is no flag ${flag}.${didYouMean(flag, known, '--')}`
    : `"${arg}" is not expected here.`
}

/** Of all variables of Petri. */
const PREFIX = 'PETRI_'
/** The URL of a running Petri; read by client commands only. */
const URL_VARIABLE = 'PETRI_URL'
/** With these the kits in other languages start a Petri. */
const kitVariables = ['PETRI_COMMAND', 'PETRI_IMAGE']

/**
 * URL and credentials of a running Petri: flags over environment over defaults. Without a URL, host and port it is the Petri
 * of the data folder, wherever that answers.
 */
export function readClientConfig({
  url,
  apiKey,
}: {
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
} = {}): ClientConfig {
  const { environment } = currentContext()
  const config = readConfig({ apiKey })
  const given = url ?? (environment[URL_VARIABLE] || undefined)
  const isPlaced = ['PETRI_HOST', 'PETRI_PORT'].some((name) => environment[name])
  const running = runningPetri(config.data)
  const found = given === undefined && !isPlaced ? running?.url : undefined
  if (given !== undefined && !/^https?:\/\/[^\s]+$/.test(given)) {
    throw new UsageProblem(
      `${url ? '--url' : URL_VARIABLE} should be an http or https URL; it is "${given}".`,
    )
  }
  if (given === undefined && config.port === 0) {
    throw new UsageProblem('PETRI_PORT is 0, which picks any port; give the URL of Petri with --url.')
  }
  const { controlToken, managementKey = defaults.managementKey, webhookSecret } = config
  const address = given ?? found ?? urlOf(config.host, config.port)
  return {
    url: address,
    pid: running?.url === address ? running.pid : undefined,
    isDefaultUrl: given === undefined && found === undefined && !isPlaced,
    apiKey: config.apiKey,
    controlToken,
    managementKey,
    webhookSecret,
  }
}

/** Flags win over the environment, and the environment over defaults. Reports all invalid settings at once. */
export function readConfig(flags: Flags = {}, variables: Environment = currentContext().environment): Config {
  const environment = withoutGenerated(variables)
  const wrong = unknownVariables(environment)
  const config: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const { flag, initially, isSecret, read } = setting
    const given = flags[name as SettingName]
    const source = given === undefined ? variableOf(setting, environment) : flag
    let text: string | undefined
    try {
      text = given === true ? 'true' : (given ?? textOf(setting, environment) ?? initially)
      config[name] = text === undefined ? undefined : read(text)
    } catch (error) {
      const value = isSecret || text === undefined ? '' : `; it is "${text}"`
      wrong.push(`${source} ${messageOf(error)}${value}.`)
    }
  }
  if (wrong.length > 0) throw new UsageProblem(wrong.join('\n'))
  return config as Config
}

/** The variable that gives a setting: its own, or the one that names a file with it. */
function variableOf({ variable, fileVariable }: Setting, environment: Environment): string {
  return fileVariable && environment[fileVariable] && !environment[variable] ? fileVariable : variable
}

/** The value of a setting in the environment. Throws if it is there twice, or if the file of a secret cannot be read. */
function textOf({ variable, fileVariable }: Setting, environment: Environment): string | undefined {
  const text = environment[variable] || undefined
  const file = fileVariable && environment[fileVariable]
  if (!file) return text
  if (text !== undefined) throw new Error(`and ${fileVariable} are both set; keep one of them`)
  const content = readSecretFile(file).trim()
  if (content === '') throw new Error(`names a file that is empty: ${file}`)
  return content
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`names a file that cannot be read: ${reasonOf(error)}`)
  }
}

/** The settings that are given, with the name of the flag or variable. */
export function givenSettings(flags: Flags): Partial<Record<SettingName, string>> {
  const environment = withoutGenerated(currentContext().environment)
  const given = Object.entries(settings).flatMap(([name, setting]) => {
    if (flags[name as SettingName] !== undefined) return [[name, setting.flag]]
    const variable = variableOf(setting, environment)
    return environment[variable] ? [[name, variable]] : []
  })
  return Object.fromEntries(given)
}

/** The names of the variables that are ignored, because Kubernetes or Docker has set them. */
export const ignoredVariables = (environment: Environment = currentContext().environment): string[] =>
  Object.keys(environment).filter((name) => isGenerated(name, environment))

const withoutGenerated = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !isGenerated(name, environment)))

/**
 * Kubernetes gives every pod variables about each Service of its namespace, and Docker gives a container those of each
 * container that it is linked to. Those of a Service or container called `petri`, or `petri-…`, look like settings.
 * Sources: kubernetes.io, "Accessing the Service"; docs.docker.com, "Legacy container links".
 */
function isGenerated(name: string, environment: Environment): boolean {
  if (!name.startsWith(PREFIX)) return false
  const value = environment[name] ?? ''
  // A link names both containers, `/job/petri`, and repeats the variables of the other one behind `_ENV_`.
  if (name.endsWith('_NAME') && /^(\/[\w.-]+){2}$/.test(value)) return true
  const [alias = '', ofOther] = name.split(/_ENV_(.*)/s)
  if (ofOther && environment[`${alias}_NAME`] !== undefined) return true
  if (/_SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value)
}

function unknownVariables(environment: Environment): string[] {
  const known = [
    URL_VARIABLE,
    ...kitVariables,
    runVariable,
    programVariable,
    ...compact(Object.values(settings).flatMap(({ variable, fileVariable }) => [variable, fileVariable])),
  ]
  return (
    Object.keys(environment)
      // Pipelines unset a variable by an empty text.
      .filter((name) => name.startsWith(PREFIX) && environment[name] !== '' && !known.includes(name))
      .map((name) => `There is no setting ${name}.${didYouMean(name, known, PREFIX)}`)
  )
}

/** The URL of the page. Keys are in the fragment, which browsers do not send, and only if the page cannot determine them. */
export function pageAddress(url: string, apiKey: string, controlToken: string | undefined): string {
  const isKnown = controlToken === undefined || apiKey === defaults.apiKey
  return `${url}/_petri/${isKnown ? '' : `#key=${encodeURIComponent(apiKey)}`}`
}

/** The variables with which a program finds Petri. */
export const connectionVariables = (url: string, apiKey: string, secret: string) => ({
  PETRI_URL: url,
  PETRI_API_KEY: apiKey,
  PETRI_WEBHOOK_SECRET: secret,
  VITAL_BASE_URL: url,
  VITAL_API_KEY: apiKey,
  VITAL_WEBHOOK_SECRET: secret,
})
