import type { Resource } from '../../api/resource.ts'

export const personaResource: Resource = { name: 'personas', operations: [] }
