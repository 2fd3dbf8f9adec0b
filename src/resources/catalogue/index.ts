import type { Resource } from '../../api/resource.ts'

/** The catalogue has no operations; labs, markers, lab tests and payors read it. */
export const catalogueResource: Resource = { name: 'catalogue', operations: [] }
