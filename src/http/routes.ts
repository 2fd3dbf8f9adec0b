import { distance } from 'fastest-levenshtein'
import { getPathNoStrict } from 'hono/utils/url'
import { feature } from '../api/features.ts'
import type { AnyOperation } from '../api/operation.ts'
import { compare } from '../kernel/compare.ts'
import { headerNames } from '../kernel/headers.ts'
import { addressOf, methodAndPath } from '../kernel/http-call.ts'
import { MAX_NAME_LENGTH } from '../kernel/nearest.ts'
import { Problem } from '../kernel/problem.ts'
import type { Step } from './context.ts'

/** The path of a request. The link page is also at `/` of a host such as `link.tryvital.io`. Source: docs/contract/phones.md#the-widget. */
export function pathOf(request: Request): string {
  const path = getPathNoStrict(request)
  return path === '/' && request.headers.get('host')?.startsWith('link.') ? '/link' : path
}

/** Whether the live service redirects the paths of an operation. Source: docs/contract/errors.md#limits-pages-formats. */
export const redirectsTrailingSlash = ({ route }: AnyOperation): boolean => route.includes(' /v3/')

/** Redirects to the path without its trailing slash, in worlds whose `contract_form` is `live`. Others ignore it. */
export const redirectTrailingSlash =
  (publicUrl: URL | undefined): Step =>
  (c, next) => {
    const world = c.get('world')
    const { pathname, search } = new URL(c.req.url)
    if (!world || !pathname.endsWith('/') || feature(world, 'contract_form') !== 'live') return next()
    const location = addressOf(publicUrl, c.req.url, `${pathname.replace(/\/+$/, '')}${search}`)
    return { status: 307, body: null, headers: { location } }
  }

/** `/v2/user/{user_id}` in Hono's syntax: `/v2/user/:user_id`. */
export const toHonoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Sorts fixed paths before those with parameters, or `/v3/lab_tests/{lab_test_id}` would match `/v3/lab_tests/markers`. */
export function inMatchingOrder(operations: readonly AnyOperation[]): AnyOperation[] {
  const key = ({ route }: AnyOperation) => route.slice(route.indexOf(' ') + 1).replace(/\{\w+\}/g, '~')
  return operations
    .map((operation) => ({ operation, key: key(operation) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ operation }) => operation)
}

/** Whether a path matches a route of any method. Parameters are never empty. */
export function matchesPath(route: string, path: string): boolean {
  return matchesSegments(route.slice(route.indexOf(' ') + 1).split('/'), path.split('/'))
}

export const matchesSegments = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))

const MAX_SUGGESTIONS = 3

/** The service's error for an unknown path or method, with the nearest operations in `x-petri-hint`. */
export function notFound(method: string, path: string, operations: readonly AnyOperation[]): Problem {
  const here = operations.filter(({ route }) => matchesPath(route, path))
  if (here.length > 0) {
    const allow = [...new Set(here.map(({ route }) => methodAndPath(route)[0]))].join(', ')
    return new Problem('wrong_method', 'Method Not Allowed', { headers: { allow } })
  }
  const hint = nearestRoutes(`${method} ${path}`, operations).join('; ')
  return new Problem('not_found', 'Not Found', { headers: hint ? { [headerNames.hint]: hint } : {} })
}

/** The routes with the smallest edit distance, of several those with as many segments first; none for a long path, or if most characters differ. */
function nearestRoutes(wanted: string, operations: readonly AnyOperation[]): string[] {
  if (wanted.length > MAX_NAME_LENGTH) return []
  const shape = shapeOf(wanted)
  return operations
    .map(({ route }) => ({
      route,
      differing: distance(shape, shapeOf(route)),
      missing: Math.abs(route.split('/').length - wanted.split('/').length),
    }))
    .filter(({ differing }) => differing <= shape.length / 2)
    .sort((a, b) => a.differing - b.differing || a.missing - b.missing || compare(a.route, b.route))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ route }) => route)
}

/** A route or path without its parameters: names in braces, and segments that look like ids. */
const shapeOf = (route: string): string => route.replace(/\{\w+\}|(?<=\/)(?=[^/]*\d)[^/]{4,}/g, '')
