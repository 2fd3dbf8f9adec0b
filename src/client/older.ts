interface Versions {
  readonly petri: string
  readonly client: string
}

/** The reason to refuse a Petri that is older than this client, if it is. */
export function olderThanClient({ petri, client }: Versions, url: string): string | undefined {
  if (released(petri).localeCompare(released(client), 'en', { numeric: true }) >= 0) return undefined
  return `Petri ${petri} at ${url} is older than this client, ${client}: update Petri, or use version ${petri} of the client.`
}

/** A version such as 0.10.2 without what follows the third number. */
const released = (version: string) => version.replace(/[-+].*/, '')
