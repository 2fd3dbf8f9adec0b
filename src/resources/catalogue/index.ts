import type { Resource } from '../../api/resource.ts'

/** The catalogue has no operations of its own; labs, markers, lab tests and payors show it. */
export const catalogueResource: Resource = { name: 'catalogue', operations: [] }
