import type { Resource } from '../../contract/resource.ts'
import { compendiumOperations } from './operations.ts'

export const compendiumResource: Resource = { name: 'compendium', operations: compendiumOperations }
