/** The host names of the live service. Sources: docs/contract/errors.md#keys, docs/contract/phones.md#signing-in, docs/contract/phones.md#the-widget. */
// biome-ignore format: a table is read by its columns.
export const liveHosts: readonly string[] = [
  // brand of 2025              earlier brand, still served
  'api.us.junction.com',         'api.tryvital.io',
  'api.eu.junction.com',         'api.eu.tryvital.io',
  'api.sandbox.us.junction.com', 'api.sandbox.tryvital.io',
  'api.sandbox.eu.junction.com', 'api.sandbox.eu.tryvital.io',
  'api.dev.us.junction.com',     'api.dev.tryvital.io',
  'api.dev.eu.junction.com',     'api.dev.eu.tryvital.io',
  // management                  pages of the link widget
  'api.management.junction.com', 'link.tryvital.io',
                                 'link.dev.tryvital.io',
  // sign-in of the mobile SDKs
  'auth.us.junction.com',         'auth.eu.junction.com',
  'auth.sandbox.us.junction.com', 'auth.sandbox.eu.junction.com',
  'auth.dev.us.junction.com',     'auth.dev.eu.junction.com',
]

const known = new Set(liveHosts)

/** Whether a host, with or without its port, is one of the live service. */
export const isLiveHost = (host: string): boolean =>
  known.has(host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, ''))

/** Whether an entry of `NO_PROXY`, a host or a domain, contains a host of the live service. */
export function containsLiveHost(entry: string): boolean {
  const name = entry
    .toLowerCase()
    .replace(/^\*?\.?/, '')
    .replace(/:\d+$/, '')
  return liveHosts.some((host) => host === name || host.endsWith(`.${name}`))
}

/** Whether a host is in a list like that of `NO_PROXY`, itself or with a domain that contains it. */
export const isListed = (list: readonly string[], host: string): boolean =>
  list.some((entry) => host === entry || host.endsWith(`.${entry.replace(/^\*?\./, '')}`))

/** The variable with the options of a run for the hook of Node. */
export const runVariable = 'PETRI_EXEC_RUN'

/** The variable that marks the processes of a program of `--start`, which may leave its process group. */
export const programVariable = 'PETRI_EXEC_PROGRAM'
