import * as z from 'zod'
import { field } from '../../api/fields.ts'
import { missing, type ValidationIssue, valueError, wrongChoice } from '../../api/issue.ts'
import type { LazySchema } from '../../api/schema.ts'
import { isObject } from '../../kernel/json.ts'
import { didYouMean } from '../../kernel/nearest.ts'

/** A variant of an expression. */
export interface Member {
  /** The key that identifies the variant. */
  readonly key: string
  readonly of: LazySchema
  /** Values of that key, if several variants have it. */
  readonly values?: readonly string[]
}

/** A union of expressions, distinguished by key, so that an error has the right location. */
export const oneKindOf = <Built extends z.ZodType>(members: () => readonly Member[]) =>
  z.preprocess(
    (input, ctx) => {
      const chosen = choose(members(), input)
      if ('type' in chosen) {
        const { path = [], ...fault } = chosen
        ctx.issues.push({ code: 'custom', input, path: [...path], message: fault.msg, params: { ...fault } })
        return z.NEVER
      }
      const read = chosen.of().safeParse(input)
      if (read.success) return input
      for (const issue of read.error.issues) ctx.issues.push({ ...issue, input } as z.core.$ZodRawIssue)
      return z.NEVER
    },
    z.union([...new Set(members().map(({ of }) => of))].map((of) => of())) as unknown as Built,
  )

function choose(
  members: readonly Member[],
  input: unknown,
): Member | (ValidationIssue & { path?: readonly string[] }) {
  if (input === undefined) return missing
  if (!isObject(input)) {
    return {
      type: 'model_attributes_type',
      msg: 'Input should be a valid dictionary or object to extract fields from',
    }
  }
  const known = members.filter(({ key }) => Object.hasOwn(input, key))
  const key = known[0]?.key
  if (key === undefined) return noKnownKey(members, Object.keys(input))
  const value = (input as Record<string, unknown>)[key]
  const found =
    known.find(({ values }) => values?.includes(String(value))) ?? known.find(({ values }) => !values)
  return found ?? { ...wrongChoice(known.flatMap(({ values = [] }) => values)), path: [key] }
}

function noKnownKey(members: readonly Member[], given: readonly string[]): ValidationIssue {
  const keys = [...new Set(members.map(({ key }) => key))]
  const near = given.map((key) => didYouMean(key, keys)).find((hint) => hint !== '') ?? ''
  return valueError(`an expression here has one of the keys ${keys.join(', ')}.${near}`)
}

/** A field with exactly this value. */
export const constant = <Word extends string>(word: Word) =>
  field({ type: 'string', const: word }, (input): Word | ValidationIssue =>
    input === word ? word : literalIssue(`'${word}'`),
  )

/** A field that can only be true. */
export const alwaysTrue = () =>
  field({ type: 'boolean', const: true }, (input): true | ValidationIssue =>
    input === true ? true : literalIssue('True'),
  )

const literalIssue = (expected: string): ValidationIssue => ({
  type: 'literal_error',
  msg: `Input should be ${expected}`,
  ctx: { expected },
})
