import { tooLongList, type ValidationIssue } from '../../api/issue.ts'
import { exceededLimit, inputLimits, jsonLimits } from '../../api/limits.ts'
import type { LazySchema } from '../../api/schema.ts'
import { isObject } from '../../kernel/json.ts'
import { readJsonStream } from '../../kernel/json-stream.ts'
import { Problem } from '../../kernel/problem.ts'
import type { UploadKind } from './kind.ts'
import { UploadedItems } from './schema.ts'

/** The maximum length of an item, in characters. An item is parsed as a whole. */
const MAX_ITEM_LENGTH = 2 * 1024 * 1024
/** The maximum number of values in an upload: 100,000 samples have some 1.3 million. */
const MAX_VALUES = 1_500_000
const MAX_ITEMS = inputLimits.listOf.data as number

/** A function that reads an upload from a stream and validates each item as it arrives. */
export const uploadReader =
  ({ item, isSingle }: UploadKind) =>
  async (chunks: AsyncIterable<Uint8Array>): Promise<unknown> => {
    const fields = new Map<string, unknown>()
    let items = new UploadedItems()
    let whole: unknown = fields
    await readJsonStream(chunks, {
      maxLength: MAX_ITEM_LENGTH,
      limits: jsonLimits,
      maxValues: MAX_VALUES,
      isOpened: ([name, ...inside], type) =>
        type === 'object' ? name === undefined : name === 'data' && inside.length === 0 && !isSingle,
      onValue([name, at], value) {
        if (name === undefined) {
          whole = value ?? fields
        } else if (at !== undefined) {
          const path = ['data', Number(at)]
          if (items.list.length === MAX_ITEMS)
            throw invalid([{ path: ['data'], ...tooLongList(MAX_ITEMS, undefined) }])
          items.list.push(readItem(item, value, path))
        } else if (name === 'data' && (value === undefined || (isSingle && isObject(value)))) {
          items = new UploadedItems()
          if (isSingle) items.list.push(readItem(item, value, ['data']))
          fields.set(name, items)
        } else {
          assertWithinLimits(value, [name])
          fields.set(name, value)
          if (fields.size > inputLimits.fields)
            throw invalid([{ path: [], ...tooLongList(inputLimits.fields, undefined, 'Dictionary') }])
        }
      },
    })
    return whole === fields ? Object.fromEntries(fields) : whole
  }

type Path = readonly PropertyKey[]

function assertWithinLimits(value: unknown, path: Path): void {
  const exceeded = exceededLimit(value)
  if (exceeded) throw invalid([{ ...exceeded.issue, path: [...path, ...exceeded.path] }])
}

function readItem(schema: LazySchema, value: unknown, path: Path): unknown {
  assertWithinLimits(value, path)
  const { data, error } = schema().safeParse(value)
  if (!error) return data
  throw invalid(
    error.issues.slice(0, inputLimits.problems).map((issue) => {
      const { params = {} } = issue as { readonly params?: Partial<ValidationIssue> }
      const { type = 'value_error', msg = issue.message, ctx } = params
      return { type, msg, path: [...path, ...issue.path], ctx }
    }),
  )
}

const invalid = (issues: readonly (ValidationIssue & { readonly path: Path })[]): Problem =>
  new Problem(
    'invalid',
    issues.map(({ path, ...issue }) => ({ ...issue, loc: ['body', ...path], input: null })),
  )
