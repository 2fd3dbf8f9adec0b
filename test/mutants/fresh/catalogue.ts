import { type Catalogue, createCatalogue as create } from '../../../src/resources/catalogue/service.ts'

export * from '../../../src/resources/catalogue/service.ts'

/** A catalogue that caches no lists: all tests share it, and a list could be one that an earlier mutant made. */
export const createCatalogue = (folders?: readonly string[]): Catalogue => ({
  ...create(folders),
  remember: (_, make) => make(),
})
