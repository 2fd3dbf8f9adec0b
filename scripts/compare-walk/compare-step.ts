import { isObject, mapTexts } from '../../src/kernel/json.ts'
import type { Difference } from '../../src/tools/drift/report.ts'
import type { Reply } from '../../src/tools/team-api.ts'
import { compareReplies } from '../../src/tools/verify/compare-replies.ts'
import type { WalkCall } from './calls.ts'
import type { OnBothSides } from './objects.ts'
import type { Pairs } from './pairs.ts'

/** The differences between the replies to a call; `sent` has the texts that the walk has sent, which are compared as they are. */
export function compareStep(
  { route, isData = false }: WalkCall,
  { own, other }: OnBothSides<Reply>,
  pairs: Pairs,
  sent: ReadonlySet<string>,
): Difference[] {
  const bodies = (): [own: unknown, other: unknown] => {
    if (own.status !== other.status) return [undefined, undefined]
    return isData ? dataShapes(own.body, other.body) : pairs.name(own.body, other.body)
  }
  const [ownBody, otherBody] = bodies().map((body) => withSentDates(body, sent))
  // Most replies are equal; only their headers are left to compare.
  const isEqual = JSON.stringify(ownBody) === JSON.stringify(otherBody)
  const replies = {
    own: { ...own, body: isEqual ? undefined : ownBody },
    other: { ...other, body: isEqual ? undefined : otherBody },
  }
  return compareReplies([{ title: route, ...replies }]).map((difference) => ({
    ...difference,
    detail: difference.detail.replace(/<id \d+> -> <id(?: \d+)?>|<id> -> <id \d+>/g, '<id> -> another id'),
  }))
}

/** Writes the dates that were sent with slashes, so that they are not taken for generated ones, which are not compared. */
const withSentDates = (value: unknown, sent: ReadonlySet<string>): unknown =>
  mapTexts(value, (text) =>
    sent.has(text) && /^\d{4}-\d\d-\d\d$/.test(text) ? text.replaceAll('-', '/') : text,
  )

/** Identifies a difference in all sequences: its texts depend on what the sequence has sent before. */
export const walkKeyOf = ({ kind, change, where, path, detail }: Difference): string =>
  JSON.stringify([kind, change, where, path, kind === 'status' || kind === 'field' ? detail : ''])

/** Fields of generated data whose values are compared. */
const NAMES = new Set(['unit', 'grouping'])

/** Bodies of generated data without their values, with one row for each list. A list that is empty on one side tells nothing. */
function dataShapes(own: unknown, other: unknown, name = ''): [own: unknown, other: unknown] {
  if (Array.isArray(own) && Array.isArray(other)) {
    if (own.length === 0 || other.length === 0) return [[], []]
    const [ownRow, otherRow] = dataShapes(own[0], other[0])
    return [[ownRow], [otherRow]]
  }
  if (isObject(own) && isObject(other)) {
    // Which providers have rows depends on their data.
    const isMap = name === 'groups'
    const shapes = new Map<string, [unknown, unknown]>()
    for (const field of new Set([...Object.keys(own), ...Object.keys(other)]))
      shapes.set(field, dataShapes(own[field], other[field], field))
    const fieldsOf = (value: object, side: 0 | 1) =>
      Object.fromEntries(
        Object.keys(value)
          .filter((field) => !isMap || (field in own && field in other))
          .map((field) => [field, shapes.get(field)?.[side]]),
      )
    return [fieldsOf(own, 0), fieldsOf(other, 1)]
  }
  // Optional values may be missing in one of the rows.
  if (own === null || other === null) return [null, null]
  return NAMES.has(name) ? [own, other] : [blank(own), blank(other)]
}

function blank(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (typeof value === 'boolean') return false
  return typeof value === 'number' ? 0 : value
}
