import type { Hono } from 'hono'
import { wallClock } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/reason.ts'
import { listenerForLiveHosts } from '../listen.ts'
import { settings } from '../settings.ts'
import { CliError, UsageProblem } from '../terminal/errors.ts'
import type { Config } from './config.ts'

/** The live host names over TLS. */
export interface Tls {
  /** The certificate that clients have to trust, in PEM. */
  readonly authority: string
  readonly port: number
  /** Serves them; returns the function that ends it. */
  listen(app: Hono): Promise<() => Promise<void>>
}

const DEFAULT_PORT = 4443
/** Days for which a certificate for the hosts is valid; each start issues another. */
const VALID_DAYS = 397

/** The port of the live host names; undefined without TLS. */
export const tlsPortOf = ({ tls, tlsPort = DEFAULT_PORT }: Config): number | undefined =>
  tls ? tlsPort : undefined

/** Prepares TLS for the live host names, if the configuration asks for it. */
export async function prepareTls(config: Config): Promise<Tls | undefined> {
  const port = tlsPortOf(config)
  for (const name of ['tlsPort', 'tlsFolder'] as const) {
    if (config[name] === undefined || port !== undefined) continue
    const { flag, variable } = settings[name]
    throw new UsageProblem(`${flag} (${variable}) needs --tls (PETRI_TLS=true), which switches TLS on.`)
  }
  if (port === undefined) return undefined
  const { createAuthority, issueCertificate } = await import('../intercept/certificates.ts')
  const { liveHosts } = await import('../intercept/hosts.ts')
  const { serveLiveHosts } = await import('../intercept/live-server.ts')
  const { authorityIn } = await import('../intercept/authority-folder.ts')
  const { host, tlsFolder } = config
  const now = wallClock()
  const validity = { now, days: VALID_DAYS }
  try {
    const authority =
      tlsFolder === undefined ? createAuthority(liveHosts, validity) : authorityIn(tlsFolder, now)
    const certified = issueCertificate(authority, liveHosts, validity)
    return {
      authority: authority.cert,
      port,
      async listen(app) {
        const answer = listenerForLiveHosts(app)
        const { close } = await serveLiveHosts(answer, { host, port, certified })
        return close
      },
    }
  } catch (error) {
    const where = tlsFolder === undefined ? '' : ` with the certificate authority in ${tlsFolder}`
    throw new CliError(`Petri cannot serve TLS${where}: ${reasonOf(error)}.`)
  }
}
