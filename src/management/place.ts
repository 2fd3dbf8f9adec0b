import * as z from 'zod'
import { unnamed } from '../api/schema.ts'
import { environment, orgId, region } from './parts.ts'

/** Path parameters: environment and region. */
export const PlacePath = unnamed(() => z.object({ env: environment(), org_id: orgId(), region: region() }))
