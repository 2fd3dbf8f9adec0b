import { table } from '../../storage/table.ts'

/** The new name of the organisation. */
export interface OrganisationRow {
  readonly id: string
  readonly name: string
}

export const organisations = table<OrganisationRow>('organisations', ({ id }) => id)
