import type { Resource } from '../../api/resource.ts'
import { compendiumOperations } from './operations.ts'

export const compendiumResource: Resource = { name: 'compendium', operations: compendiumOperations }
