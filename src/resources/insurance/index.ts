import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { orNotFound } from '../../kernel/problem.ts'
import { getUser } from '../users/service.ts'
import { Insurance, InsuranceUser, LatestQuery, NewInsurance } from './schema.ts'
import { createInsurance, latestInsurance, presentInsurance } from './service.ts'
import { insurances } from './table.ts'

const insuranceOperations = [
  operation({
    id: 'user_create_insurance',
    route: 'POST /v2/user/{user_id}/insurance',
    summary: "Add a record of a user's insurance",
    params: InsuranceUser,
    body: NewInsurance,
    returns: Insurance,
    run: (world, { params, body }) => presentInsurance(createInsurance(world, params.user_id, body)),
  }),
  operation({
    id: 'user_get_latest_insurance',
    route: 'GET /v2/user/{user_id}/insurance/latest',
    summary: "Get the latest record of a user's insurance",
    params: InsuranceUser,
    query: LatestQuery,
    returns: Insurance,
    run(world, { params, query }) {
      getUser(world, params.user_id)
      const record = orNotFound(
        latestInsurance(world, params.user_id, query.is_primary),
        'Insurance not found',
      )
      return presentInsurance(record)
    },
  }),
]

export const insuranceResource: Resource = {
  name: 'insurance',
  operations: insuranceOperations,
  tables: [insurances],
}
