/** An API key of a world. */
export interface ApiKey {
  readonly id: string
  readonly label: string
  readonly value: string
  /** Milliseconds since 1970, the world's clock; null for the key a world was made with. */
  readonly createdAt: number | null
}

/** The region of a team; part of the prefix of its keys. Source: contract/errors-and-auth.md §1. */
export type Region = 'us' | 'eu'

/** The ids, names and keys of a world; a reset keeps them. */
export interface Identity {
  readonly teamId: string
  readonly orgId: string
  readonly name: string
  /** The key the world was created with. */
  readonly apiKey: string
  readonly webhookSecret: string
  /** Keys created later. */
  readonly furtherKeys?: readonly ApiKey[]
  /** The number of keys ever created, including deleted ones. */
  readonly keysMade?: number
  /** `us` by default. */
  readonly region?: Region
  /** The customer's own id of the team. */
  readonly integrationTeamId?: string | null
  /** Milliseconds since 1970, the world's clock. */
  readonly createdAt?: number
}

/** The options of a new world, which a reset restores. Instants in milliseconds since 1970. */
export interface WorldOptions {
  readonly seed: string
  readonly frozen: boolean
  /** The initial time; null for the wall clock. */
  readonly now: number | null
  readonly pace: number
  readonly scenario: string
  readonly webhookUrl: string | null
}
