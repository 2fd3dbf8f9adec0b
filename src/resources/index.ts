import type { Resource } from '../contract/resource.ts'
import { userResource } from './users/index.ts'

/** Everything the API offers, in the order the documentation lists it. Adding a resource is one line here. */
export const resources: readonly Resource[] = [userResource]
