import * as z from 'zod'
import { unnamed } from '../api/schema.ts'
import { environment, orgId, region } from './parts.ts'

/** Where the teams concerned are, as most paths say it. */
export const PlacePath = unnamed(() => z.object({ env: environment(), org_id: orgId(), region: region() }))
