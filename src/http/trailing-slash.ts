import { feature } from '../api/features.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Middleware } from './context.ts'
import { respond } from './respond.ts'

/** Whether the live service redirects the paths of an operation. Source: docs/contract/errors.md#limits-pages-formats. */
export const redirectsTrailingSlash = ({ route }: AnyOperation): boolean => route.includes(' /v3/')

/** Redirects to the path without its trailing slash, in worlds whose `contract_form` is `live`. Others ignore it. */
export const redirectTrailingSlash: Middleware = async (c, next) => {
  const world = c.get('world')
  const [path = '', ...query] = c.req.url.split('?')
  if (!world || !path.endsWith('/') || feature(world, 'contract_form') !== 'live') return next()
  const location = [path.replace(/\/+$/, ''), ...query].join('?')
  return respond(c, { status: 307, body: null, headers: { location } })
}
