import type { Resource } from '../../api/resource.ts'

/** What the others draw on; it is shown by labs, markers, lab tests and payors. */
export const catalogueResource: Resource = { name: 'catalogue', operations: [] }
