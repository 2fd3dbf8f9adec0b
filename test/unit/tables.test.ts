import { expect, it } from 'vitest'
import { instantMs } from '../../src/storage/table.ts'
import { worldTables } from '../../src/tables.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

/** Tables of the organisation, which are in no world. */
const OF_ORGANISATION = [
  'ehr_integration',
  'ehr_integration_members',
  'management_keys',
  'open_world_calls',
  'organisation_domains',
  'organisation_invites',
  'organisation_made',
  'organisation_members',
  'organisations',
  'shared_scenarios',
]

it('every table that is declared is in the list of those of a world, once', () => {
  const declared = sourceFiles().flatMap((file) =>
    [...codeOf(file).matchAll(/ = table\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  )
  const listed = worldTables.map(({ name }) => name)
  expect([...listed, ...OF_ORGANISATION].sort()).toEqual(declared.sort())
  expect(new Set(listed).size).toBe(listed.length)
})

it.each([1, -1])('an instant of a row is one that a date can be: %i', (sign) => {
  const limit = sign * 8.64e15
  const isAccepted = (at: number) => instantMs().safeParse(at).success
  expect([limit, limit + sign].map(isAccepted)).toEqual([true, false])
  expect([limit, limit + sign].map((at) => Number.isNaN(new Date(at).getTime()))).toEqual([false, true])
})
