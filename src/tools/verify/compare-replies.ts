import { compareDescriptions } from '../drift/compare.ts'
import { type Difference, keyOf } from '../drift/report.ts'
import { type Answered, describeReplies } from './describe-replies.ts'

/** The differences between the replies of both sides, one for each question. */
export function compareReplies(answered: readonly Answered[]): Difference[] {
  const own = describeReplies(answered, 'own')
  const other = describeReplies(answered, 'other')
  const differences = compareDescriptions(other, own, { exact: true }).map(toReplies)
  return [...new Map(differences.map((each) => [keyOf(each), each])).values()]
}

/** A difference of descriptions, as one of replies. */
function toReplies(difference: Difference): Difference {
  const { kind, change, path, detail } = difference
  if (path === 'status') return { ...difference, kind: 'status', path: '' }
  const [, header] = /^header\.(.*)$/.exec(path) ?? []
  if (header !== undefined)
    return { ...difference, kind: 'header', path: header, detail: kind === 'parameter' ? '' : detail }
  const field = path.replace(/^answer\.?/, '')
  if (kind !== 'field' && kind !== 'order') return { ...difference, path: field }
  // A field that is missing in one row is usually missing in all. The row itself keeps its name.
  const inAnyRow = field.replace(kind === 'order' ? /\[[^\]]*\]/g : /\[[^\]]*\](?=.)/g, '[]')
  return { ...difference, path: inAnyRow, detail: change === 'changed' ? detail : '' }
}

/** Leaves out differences that are known from an earlier report. */
export function withoutKnown(differences: readonly Difference[], known: readonly Difference[]): Difference[] {
  const keys = new Set(splitQuestions(known).map(keyOf))
  return differences.filter((each) => !keys.has(keyOf(each)))
}

/** The differences of a report, one for each question. */
export const splitQuestions = (differences: readonly Difference[]): Difference[] =>
  differences.flatMap((each) =>
    (each.where === '' ? each.used_by : [each.where]).map((where) => ({ ...each, where })),
  )

/** Lists a difference that several questions have in common once, with all of them. */
export function mergeQuestions(differences: readonly Difference[]): Difference[] {
  const merged = new Map<string, Difference>()
  for (const difference of differences) {
    const { kind, where, used_by } = difference
    const key = keyOf({ ...difference, where: kind === 'status' ? where : '' })
    const same = merged.get(key)
    merged.set(key, same ? { ...same, where: '', used_by: [...same.used_by, ...used_by] } : difference)
  }
  return [...merged.values()]
}
