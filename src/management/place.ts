import * as z from 'zod'
import { unnamed } from '../api/schema.ts'
import { environment, orgId, region } from './parts.ts'

/** Region and environment, as most paths contain them. */
export const PlacePath = unnamed(() => z.object({ env: environment(), org_id: orgId(), region: region() }))
