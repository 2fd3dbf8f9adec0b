/** Headers that may carry a management key, in lower case. Source: contract/errors-and-auth.md §2; README.md 2. */
export const managementKeyHeaders = ['x-management-key', 'x-petri-management-key', 'x-vital-org-key'] as const

/** Source: contract/errors-and-auth.md §2.2. */
export const managerRoles = ['org_admin', 'team_admin'] as const

/** The holder of a management key. */
export interface Manager {
  readonly role: (typeof managerRoles)[number]
  /** The teams it may manage; null for all of them. */
  readonly teamIds: readonly string[] | null
  /** It is written in the documentation, and is accepted from this machine only. */
  readonly isWellKnown: boolean
}

export const managesTeam = ({ teamIds }: Manager, teamId: string): boolean =>
  teamIds?.includes(teamId) ?? true
