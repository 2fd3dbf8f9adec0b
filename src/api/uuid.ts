import { type ValidationIssue, withError } from './issue.ts'

const USUAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const GROUPS = [8, 4, 4, 4, 12]

/** Lower case and hyphenated, as the service writes them. */
export const isUsualUuid = (text: string): boolean => USUAL.test(text)

/** What is wrong with a UUID, in the words of the service's parser; undefined when nothing is. */
export function uuidIssue(text: string): ValidationIssue | undefined {
  if (isUsualUuid(text)) return undefined
  const bare = text.replace(/^urn:uuid:/i, '').replace(/^\{(.*)\}$/, '$1')
  const bad = bare.search(/[^0-9a-fA-F-]/)
  if (bad !== -1) {
    return parsing(
      `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${bare[bad]}\` at ${bad + 1}`,
    )
  }
  const groups = bare.split('-')
  if (groups.length === 1) {
    return bare.length === 32
      ? undefined
      : parsing(`invalid length: expected length 32 for simple format, found ${bare.length}`)
  }
  if (groups.length !== 5) return parsing(`invalid group count: expected 5, found ${groups.length}`)
  const wrong = groups.findIndex((group, at) => group.length !== GROUPS[at])
  if (wrong === -1) return undefined
  return parsing(
    `invalid group length in group ${wrong}: expected ${GROUPS[wrong]}, found ${groups[wrong]?.length}`,
  )
}

const parsing = (error: string): ValidationIssue =>
  withError('uuid_parsing', 'Input should be a valid UUID', error)

/** The same for the routes that answer a plain text instead of a list. */
export function goUuidIssue(parameter: string, value: string): ValidationIssue | undefined {
  if (!uuidIssue(value)) return undefined
  const detail = `Invalid format for parameter ${parameter}: error unmarshaling '${value}' text as *uuid.UUID: invalid UUID length: ${value.length}`
  return { type: 'value_error', msg: detail, detail }
}
