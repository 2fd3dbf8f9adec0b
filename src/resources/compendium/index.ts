import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { compendiumComputed } from './compare.ts'
import {
  CompendiumConversion,
  CompendiumConverted,
  CompendiumFinding,
  CompendiumSearch,
  OrderableFinding,
  OrderableSearch,
} from './schema.ts'
import { convertCompendium, searchCompendium, searchOrderableTests } from './service.ts'

const compendiumOperations = [
  operation({
    id: 'compendium_search',
    route: 'POST /v3/compendium/search',
    summary: 'Find a test by name, and what each laboratory calls it',
    body: CompendiumSearch,
    returns: CompendiumFinding,
    indexed: compendiumComputed,
    run: (world, { body }) => searchCompendium(world, body),
  }),
  operation({
    id: 'compendium_convert',
    route: 'POST /v3/compendium/convert',
    summary: "Translate a lab test, or order codes, into another laboratory's",
    body: CompendiumConversion,
    returns: CompendiumConverted,
    indexed: compendiumComputed,
    run: (world, { body }) => convertCompendium(world, body),
  }),
  operation({
    id: 'compendium_search_orderable_tests',
    route: 'POST /v3/compendium/search_orderable_tests',
    summary: 'Find what a laboratory offers in the place of order codes',
    body: OrderableSearch,
    returns: OrderableFinding,
    indexed: compendiumComputed,
    run: (world, { body }) => searchOrderableTests(world, body),
  }),
]

export const compendiumResource: Resource = { name: 'compendium', operations: compendiumOperations }
