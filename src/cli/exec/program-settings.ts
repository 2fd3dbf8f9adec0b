import { settings } from '../../settings.ts'
import { currentContext, printError } from '../../terminal/context.ts'
import { connectionVariables, type Flags, givenSettings } from '../config.ts'

/** The variables with which programs call the service, and the settings of a Petri that accepts their values. */
const variables = { apiKey: 'VITAL_API_KEY', webhookSecret: 'VITAL_WEBHOOK_SECRET' } as const

/** Adds the key and the secret that the program has to the settings, unless others are given. */
export function withSettingsOfProgram(flags: Flags): Flags {
  const { environment } = currentContext()
  const given = givenSettings(flags)
  const found: Record<string, string> = {}
  for (const name of ['apiKey', 'webhookSecret'] as const) {
    const value = environment[variables[name]]
    if (!value || given[name] !== undefined) continue
    try {
      settings[name].read(value)
      found[name] = value
    } catch (error) {
      const { variable } = settings[name]
      printError(
        `${variables[name]} ${(error as Error).message}: Petri uses ${variable} instead, and the program keeps its own.`,
      )
    }
  }
  return { ...flags, ...found }
}

/** The environment of the program: what it has stays, and it gets a key and a secret where it has none. */
export function environmentOfProgram(url: string, apiKey: string, secret: string) {
  const { environment } = currentContext()
  const {
    VITAL_BASE_URL: _,
    VITAL_API_KEY,
    VITAL_WEBHOOK_SECRET,
    ...own
  } = connectionVariables(url, apiKey, secret)
  return {
    ...environment,
    VITAL_API_KEY: environment.VITAL_API_KEY || VITAL_API_KEY,
    VITAL_WEBHOOK_SECRET: environment.VITAL_WEBHOOK_SECRET || VITAL_WEBHOOK_SECRET,
    ...own,
  }
}
