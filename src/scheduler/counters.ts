/** The most different names in a group; some come from what clients send. */
const MAX_NAMES = 2000

/** How often something happened in a world since it was opened, by group and name. */
export class Counters {
  readonly #groups = new Map<string, Map<string, number>>()

  count(group: string, name: string): void {
    const counts = this.#groups.get(group)
    if (!counts) this.#groups.set(group, new Map([[name, 1]]))
    else if (counts.size < MAX_NAMES || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** Counts what the event bus publishes and the world reports. */
  countEffect(kind: string, { event_type, status }: Readonly<Record<string, unknown>>): void {
    if (kind === 'event') this.count(kind, String(event_type))
    else if (kind === 'order') this.count(kind, String(status))
    else if (kind === 'delivery' && isDelivered(status)) this.count('delivered', String(event_type))
  }

  get(group: string): ReadonlyMap<string, number> {
    return this.#groups.get(group) ?? new Map()
  }
}

const isDelivered = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300
