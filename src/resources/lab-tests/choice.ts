import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Marker } from '../catalogue/service.ts'

export interface MarkerChoice {
  readonly marker_ids?: readonly number[] | null | undefined
  readonly provider_ids?: readonly string[] | null | undefined
}

type Some<Item> = [Item, ...Item[]]

/** The markers with these ids or order codes, each once, at least one. */
export function chooseMarkers(world: World, choice: MarkerChoice, labSlug?: string | null): Some<Marker> {
  const { marker_ids, provider_ids } = choice
  if (marker_ids && provider_ids) {
    throw new Problem('bad_request', 'cannot set both marker_ids and provider_ids')
  }
  const markers = marker_ids
    ? [...new Set(marker_ids)].map((id) => markerOfId(world, id, labSlug))
    : markersOfCodes(world, [...new Set(provider_ids ?? [])], labSlug)
  if (!isSome(markers)) throw new Problem('bad_request', 'marker_ids or provider_ids must be set')
  return markers
}

const isSome = <Item>(items: Item[]): items is Some<Item> => items.length > 0

function markerOfId(world: World, id: number, labSlug: string | null | undefined): Marker {
  const marker = world.parts.catalogue.markers().get(id)
  if (!marker || !canBeOrdered(marker) || (labSlug && marker.lab.slug !== labSlug)) {
    throw new Problem('bad_request', `Marker ${id} does not exist${labSlug ? ` at lab ${labSlug}` : ''}`)
  }
  return marker
}

/** The laboratory of the order codes: the given one, or the only one that has all of them. */
function markersOfCodes(world: World, codes: string[], labSlug: string | null | undefined): Marker[] {
  const { catalogue } = world.parts
  const slugs = labSlug ? [labSlug] : [...catalogue.labs().keys()]
  const found = slugs
    .map((slug) => codes.map((code) => catalogue.findMarker(slug, code)))
    .filter((markers): markers is Marker[] =>
      markers.every((marker) => marker !== undefined && canBeOrdered(marker)),
    )
  if (codes.length === 0) return []
  const [only, another] = found
  if (another) throw new Problem('bad_request', 'lab_slug must be set: several labs have these provider_ids')
  if (!only) throw new Problem('bad_request', `No lab has markers with provider_ids ${codes.join(', ')}`)
  return only
}

const canBeOrdered = ({ is_orderable, isReflex }: Marker) => is_orderable && !isReflex
