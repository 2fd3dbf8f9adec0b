import type { Resource } from '../../contract/resource.ts'
import { diagnosisOperations } from './operations.ts'

export const diagnosisResource: Resource = { name: 'diagnoses', operations: diagnosisOperations }
