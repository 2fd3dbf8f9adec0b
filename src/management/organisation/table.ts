import { table } from '../../storage/table.ts'

/** What the organisation was renamed to. */
export interface OrganisationRow {
  readonly id: string
  readonly name: string
}

export const organisations = table<OrganisationRow>('organisations', ({ id }) => id)
