import { createPetri } from '../../src/petri.ts'
import { eventTypes } from '../../src/resources/event-types.ts'
import { tagOf } from '../contract-operations.ts'
import { firstWorld } from '../first-world.ts'
import { openApiDocument } from '../openapi-document.ts'
import { galleryPages } from './gallery.ts'
import type { PartOfSite } from './part.ts'
import { type ApiDocument, referencePages } from './reference.ts'

const KEY = 'sk_us_site'

/** What the site has beyond the pages of the repository: the gallery of scenarios, and the operations and events. */
export async function generatedParts(): Promise<readonly PartOfSite[]> {
  const petri = await createPetri({ firstWorld: { ...firstWorld, apiKey: KEY } })
  const read = async (path: string) => {
    const headers = { 'x-vital-api-key': KEY }
    const response = await petri.app.fetch(new Request(`http://127.0.0.1${path}`, { headers }))
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const gallery = await galleryPages(read)
  await petri.close()
  const document = openApiDocument(petri.operations, eventTypes(), tagOf) as ApiDocument
  return [gallery, referencePages(document)]
}
