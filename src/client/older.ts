interface Versions {
  readonly petri: string
  readonly client: string
}

/** The reason to refuse a Petri that is older than this client, if it is. */
export function olderThanClient({ petri, client }: Versions, url: string): string | undefined {
  if (!isOlder(petri, client)) return undefined
  return `Petri ${petri} at ${url} is older than this client, ${client}: update Petri, or use version ${petri} of the client.`
}

/** Compares versions such as 0.10.2 by number; what follows the third number does not count. */
function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(one), numbersOf(other)]
  const at = ours.findIndex((number, place) => number !== theirs[place])
  return at !== -1 && (ours[at] ?? 0) < (theirs[at] ?? 0)
}

const numbersOf = (text: string) => text.split(/[-+]/)[0]?.split('.').map(Number) ?? []
