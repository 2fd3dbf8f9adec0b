import { join, type Pair, type ShapeDifference } from './compare.ts'
import { type Difference, keyOf } from './report.ts'
import { findUsed, type Usage, type Used } from './usage.ts'

/**
 * The differences that break what a program uses, by operation or event. Those whose keys are known are left out,
 * also under the name of their schema.
 */
export function breakingDifferences(
  pairs: readonly Pair[],
  usage: Usage,
  known: ReadonlySet<string>,
): Difference[] {
  const differences = new Map<string, Difference>()
  for (const root of pairs) {
    const name = keyOfRoute(root.title)
    const isEvent = usage.events.has(root.title)
    const route = [...usage.operations.keys()].find((each) => keyOfRoute(each) === name)
    if (!isEvent && route === undefined) continue
    const used = isEvent ? usage.events.get(root.title) : usage.operations.get(route ?? '')
    for (const { title, finding, path } of findingsOf(root, used)) {
      const difference = { ...finding, where: root.title, path, used_by: [root.title] }
      if (known.has(keyOf(difference)) || known.has(keyOf({ ...finding, where: title }))) continue
      if (breaks({ ...finding, path }, used, isEvent)) differences.set(keyOf(difference), difference)
    }
  }
  return [...differences.values()]
}

const keyOfRoute = (route: string) => route.replace(/\{[^}]*\}/g, '{}')

interface LocatedFinding {
  /** The schema that has it. */
  readonly title: string
  readonly finding: ShapeDifference
  /** Its path from the operation or event. */
  readonly path: string
}

/** The findings of a pair and of the schemas at paths that are used; without usage, of each schema once. */
function* findingsOf(root: Pair, used: Used | undefined): Generator<LocatedFinding> {
  const pending: { pair: Pair; prefix: string }[] = [{ pair: root, prefix: '' }]
  const seen = new Set<Pair>()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { pair, prefix } = next
    if (!used && seen.has(pair)) continue
    seen.add(pair)
    for (const finding of pair.findings)
      yield { title: pair.title, finding, path: joinPaths(prefix, finding.path) }
    for (const [part, paths] of pair.parts)
      for (const each of paths) {
        const path = joinPaths(prefix, each)
        if (!used || findUsed(used, path)) pending.push({ pair: part, prefix: path })
      }
  }
}

const joinPaths = (prefix: string, path: string) => (path === '' ? prefix : join(prefix, path))

/** Whether a program that uses this would notice the change. */
function breaks(finding: ShapeDifference, used: Used | undefined, isEvent: boolean): boolean {
  const { kind, change, path, detail } = finding
  if (kind === 'operation' || kind === 'event') return change === 'gone' || detail === 'deprecated'
  const at = used && findUsed(used, path)
  const isUsed = used === undefined || at !== undefined
  // A program need not read what is new, and it would not miss a value that no longer comes.
  if (isEvent || path.startsWith('answer')) return isUsed && kind !== 'value' && change !== 'added'
  if (kind === 'value') return change === 'gone' ? sends(at, used, detail) : isUsed && /-> one/.test(detail)
  if (change === 'added') return detail === 'required' && isParentUsed(path, used)
  if (detail === 'required -> optional') return false
  if (detail === 'optional -> required') return isParentUsed(path, used) && !isAlwaysSent(path, used)
  return isUsed
}

const sends = (at: Used | undefined, used: Used | undefined, value: string) =>
  used === undefined || at?.values.has(value) === true

function parentOf(path: string, used: Used | undefined): Used | undefined {
  const parent = path.replace(/\.?[^.[\]]+$/, '')
  // Every call can have parameters.
  return /^(query|header)$/.test(parent) ? used : used && findUsed(used, parent)
}

const isParentUsed = (path: string, used: Used | undefined) =>
  used === undefined || parentOf(path, used) !== undefined

const isAlwaysSent = (path: string, used: Used | undefined) =>
  used !== undefined && (findUsed(used, path)?.count ?? 0) >= (parentOf(path, used)?.count ?? 0)
