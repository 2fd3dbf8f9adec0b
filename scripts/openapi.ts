import { openApiDocument } from '../src/http/openapi-document.ts'
import { createPetri } from '../src/petri.ts'

/** The OpenAPI document of everything Petri serves, as JSON. */
export async function openApi(): Promise<string> {
  const firstWorld = {
    name: 'Build',
    seed: '1',
    frozen: true,
    now: 0,
    pace: 1,
    scenario: 'manual',
    webhookUrl: null,
  }
  const petri = await createPetri({ firstWorld })
  await petri.close()
  return JSON.stringify(openApiDocument(petri.operations))
}
