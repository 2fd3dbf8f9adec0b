import type { Resource } from '../../api/resource.ts'
import { diagnosisOperations } from './operations.ts'

export const diagnosisResource: Resource = { name: 'diagnoses', operations: diagnosisOperations }
