import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { DiagnosisList, DiagnosisQuery, IcdCheck, IcdCodes } from './schema.ts'
import { checkIcdCodes, searchDiagnoses } from './service.ts'

const diagnosisOperations = [
  operation({
    id: 'insurance_search_diagnosis',
    route: 'GET /v3/insurance/search/diagnosis',
    summary: 'Search diagnoses by code or words',
    query: DiagnosisQuery,
    returns: DiagnosisList,
    run: (world, { query }) => searchDiagnoses(world, query.diagnosis_query),
  }),
  operation({
    id: 'lab_tests_validate_icd_codes',
    route: 'POST /v3/insurance/validate_icd_codes',
    summary: 'Check diagnosis codes, and whether they may be combined',
    body: IcdCodes,
    returns: IcdCheck,
    run: (world, { body }) => checkIcdCodes(world, body.codes),
  }),
]

export const diagnosisResource: Resource = { name: 'diagnoses', operations: diagnosisOperations }
