import type { Resource } from '../api/resource.ts'
import { appointmentResource } from './appointments/index.ts'
import { areaResource } from './areas/index.ts'
import { catalogueResource } from './catalogue/index.ts'
import { checkoutResource } from './checkout/index.ts'
import { compendiumResource } from './compendium/index.ts'
import { connectingResource } from './connecting/index.ts'
import { connectionResource } from './connections/index.ts'
import { demographicsResource } from './demographics/index.ts'
import { diagnosisResource } from './diagnoses/index.ts'
import { documentResource } from './documents/index.ts'
import { etlResource } from './etl/index.ts'
import { fhirResource } from './fhir/index.ts'
import { insuranceResource } from './insurance/index.ts'
import { introspectionResource } from './introspection/index.ts'
import { labAccountResource } from './lab-accounts/index.ts'
import { labTestResource } from './lab-tests/index.ts'
import { labResource } from './labs/index.ts'
import { linkResource } from './link/index.ts'
import { markerResource } from './markers/index.ts'
import { mobileResource } from './mobile/index.ts'
import { orderTrackingResource } from './order-tracking/index.ts'
import { orderTransactionResource } from './order-transactions/index.ts'
import { orderResource } from './orders/index.ts'
import { payorResource } from './payors/index.ts'
import { personaResource } from './personas/index.ts'
import { portalResource } from './portal/index.ts'
import { providerResource } from './providers/index.ts'
import { reportParserResource } from './report-parser/index.ts'
import { resultResource } from './results/index.ts'
import { senseResource } from './sense/index.ts'
import { simulationResource } from './simulation/index.ts'
import { summaryResource } from './summaries/index.ts'
import { teamResource } from './team/index.ts'
import { timeseriesResource } from './timeseries/index.ts'
import { unmatchedResultResource } from './unmatched-results/index.ts'
import { userResource } from './users/index.ts'

/** All resources, in the order of the documentation. Adding a resource is one line here. */
export const resources: readonly Resource[] = [
  userResource,
  demographicsResource,
  portalResource,
  personaResource,
  teamResource,
  providerResource,
  linkResource,
  mobileResource,
  connectionResource,
  connectingResource,
  introspectionResource,
  timeseriesResource,
  summaryResource,
  senseResource,
  catalogueResource,
  labResource,
  markerResource,
  labTestResource,
  compendiumResource,
  labAccountResource,
  insuranceResource,
  payorResource,
  diagnosisResource,
  reportParserResource,
  unmatchedResultResource,
  orderResource,
  simulationResource,
  orderTrackingResource,
  appointmentResource,
  areaResource,
  orderTransactionResource,
  checkoutResource,
  resultResource,
  documentResource,
  fhirResource,
  etlResource,
]
