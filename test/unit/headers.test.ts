import { expect, it } from 'vitest'
import { headerTable } from '../../scripts/generate/magic.ts'
import { codeOf, sourceFiles } from '../support/sources.ts'

/** Headers of browsers, proxies and other services, which mean nothing to Petri, and prefixes of such. */
const foreign = [
  'x-accel-buffering',
  'x-amz-',
  'x-azure-',
  'x-content-type-options',
  'x-envoy-upstream-service-time',
  'x-frame-options',
  'x-google',
  'x-svix-',
]

const written = sourceFiles().flatMap((file) =>
  [...codeOf(file).matchAll(/(['"])(x-[a-z-]+)\1/g)].map(([, , name = '']) => name),
)
const own = written.filter((name) => !foreign.includes(name)).sort()

it('every header of Petri is written once in src, and is listed in docs/magic.md', () => {
  expect(own).toEqual(headerTable.flatMap(([names]) => names.filter((name) => name.startsWith('x-'))).sort())
})
