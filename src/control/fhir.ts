import { operation } from '../api/operation.ts'
import { UserBundle } from '../resources/fhir/schema.ts'
import { userBundle } from '../resources/fhir/user.ts'
import { getUser } from '../resources/users/service.ts'

export const fhirUserOperation = operation({
  id: 'petri_users_fhir',
  route: 'GET /_petri/users/{user_id}/fhir',
  summary: 'Export a user as a FHIR R4 bundle: patient, conditions, treatments and reports',
  returns: UserBundle,
  run: (world, { params }) => userBundle(world, getUser(world, params.user_id).user_id),
})
