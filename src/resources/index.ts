import type { Resource } from '../contract/resource.ts'
import { catalogueResource } from './catalogue/index.ts'
import { connectionResource } from './connections/index.ts'
import { insuranceResource } from './insurance/index.ts'
import { labAccountResource } from './lab-accounts/index.ts'
import { labTestResource } from './lab-tests/index.ts'
import { labResource } from './labs/index.ts'
import { markerResource } from './markers/index.ts'
import { orderResource } from './orders/index.ts'
import { payorResource } from './payors/index.ts'
import { providerResource } from './providers/index.ts'
import { summaryResource } from './summaries/index.ts'
import { timeseriesResource } from './timeseries/index.ts'
import { userResource } from './users/index.ts'

/** Everything the API offers, in the order the documentation lists it. Adding a resource is one line here. */
export const resources: readonly Resource[] = [
  userResource,
  providerResource,
  connectionResource,
  timeseriesResource,
  summaryResource,
  catalogueResource,
  labResource,
  markerResource,
  labTestResource,
  labAccountResource,
  insuranceResource,
  payorResource,
  orderResource,
]
