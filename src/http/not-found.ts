import type { AnyOperation } from '../api/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { matchesPath } from './routes.ts'

const MAX_SUGGESTIONS = 3

/** The service's error for a path or method it does not have, with the nearest operations in `x-petri-hint`. */
export function notFound(method: string, path: string, operations: readonly AnyOperation[]): Problem {
  const here = operations.filter(({ route }) => matchesPath(route, path))
  if (here.length > 0) {
    const allow = [...new Set(here.map(({ route }) => route.split(' ')[0]))].join(', ')
    return new Problem('wrong_method', 'Method Not Allowed', { headers: { allow } })
  }
  const wanted = parts(`${method} ${path}`)
  const nearest = operations
    .map(({ route }) => ({ route, alike: likeness(wanted, parts(route)) }))
    .sort((a, b) => b.alike - a.alike || (a.route < b.route ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .filter(({ alike }) => alike > 0)
  const hint = nearest.map(({ route }) => route).join('; ')
  return new Problem('not_found', 'Not Found', { headers: hint ? { 'x-petri-hint': hint } : {} })
}

const parts = (route: string) => route.split(/[\s/]+/).filter(Boolean)

/** Scores common path segments, double in the same position, minus the difference in length. */
function likeness(wanted: readonly string[], route: readonly string[]): number {
  const shared = wanted.filter((part) => route.includes(part)).length
  const inPlace = wanted.filter((part, at) => route[at] === part).length
  return shared + inPlace - Math.abs(wanted.length - route.length) - (shared > 1 ? 0 : 10)
}
