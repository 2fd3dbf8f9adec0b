import { gzipSync } from 'node:zlib'
import { createPetri } from '../src/petri.ts'
import { eventTypes } from '../src/resources/event-types.ts'
import { kindNames } from '../src/scenarios/kinds.ts'
import { bundledScenarios } from '../src/scenarios/repository.ts'
import { tagOf } from './contract-operations.ts'
import { describeTools } from './describe-tools.ts'
import { firstWorld } from './first-world.ts'
import { builtSeeds } from './generate/seed-schemas.ts'
import { openApiDocument } from './openapi-document.ts'

/** The files the build writes next to the code, by name: the OpenAPI document, the MCP tools, the seeds and the scenarios. */
export async function describedFiles(): Promise<Record<string, string | Buffer>> {
  const petri = await createPetri({ firstWorld })
  await petri.close()
  return {
    'openapi.json.gz': gzipSync(JSON.stringify(openApiDocument(petri.operations, eventTypes(), tagOf)), {
      level: 9,
    }),
    'mcp-tools.json': JSON.stringify(describeTools(petri.operations)),
    ...builtSeeds(),
    'scenarios.json': JSON.stringify(builtScenarios()),
  }
}

/** All bundled scenarios by kind and name. */
export const builtScenarios = () =>
  Object.fromEntries(
    kindNames.map((kind) => {
      const { names, find } = bundledScenarios(kind)
      return [kind, Object.fromEntries(names().map((name) => [name, find(name)]))]
    }),
  )
