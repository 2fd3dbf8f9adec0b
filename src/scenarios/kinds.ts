import type { Persona } from '../people/persona.ts'
import type { FeedScenario } from './feeds/steps.ts'
import type { Scenario } from './file.ts'

/** A scenario of each kind: of an order, of the feed of a connection, or of a person. */
export interface ScenarioOf {
  readonly order: Scenario
  readonly feed: FeedScenario
  readonly persona: Persona
}

export type ScenarioKind = keyof ScenarioOf

/** A scenario with its kind. */
export type ParsedScenario<Kind extends ScenarioKind = ScenarioKind> = {
  [One in Kind]: { readonly kind: One; readonly scenario: ScenarioOf[One] }
}[Kind]

interface KindOfScenario {
  readonly noun: string
  /** The subfolder that scenarios of this kind are looked for in; empty for the folder itself. */
  readonly folder: string
  /** The file with the schema for editors, in the folder. */
  readonly schema: string
}

export const scenarioKinds: Readonly<Record<ScenarioKind, KindOfScenario>> = {
  order: { noun: 'scenario of orders', folder: '', schema: 'scenario.schema.json' },
  feed: { noun: 'feed scenario', folder: 'feeds', schema: 'feed.schema.json' },
  persona: { noun: 'persona', folder: 'personas', schema: 'persona.schema.json' },
}

export const kindNames: readonly ScenarioKind[] = ['order', 'feed', 'persona']
