import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getProvider, listProviders, providerName } from '../providers/service.ts'
import { dataTypes, type PriorityChanges } from './schema.ts'
import { priorities, priorityId } from './table.ts'

type DataType = (typeof dataTypes)[number]

/** The priorities of providers with the same data, highest first. Source: contract/wearables.md §6. */
export function listPriorities(world: World, dataType?: DataType | null) {
  const slugs = listProviders(world).map(({ slug }) => slug)
  return dataTypes
    .filter((type) => !dataType || type === dataType)
    .flatMap((type) =>
      slugs
        .map((slug, at) => ({
          team_id: world.identity.teamId,
          data_type: type,
          source_id: getProvider(slug).source_id,
          priority: world.db.find(priorities, priorityId(type, slug))?.priority ?? slugs.length - at,
          source: providerName(world, slug),
        }))
        .sort((a, b) => b.priority - a.priority),
    )
}

/** Sets priorities. Returns those of the affected data types, or all. */
export function setPriorities(world: World, changes: Parsed<typeof PriorityChanges>) {
  const slugs = new Map(listProviders(world).map(({ slug }) => [getProvider(slug).source_id, slug]))
  const rows = changes.map(({ data_type, source_id, slug, priority }) => ({
    data_type,
    slug: slug ?? slugs.get(source_id ?? 0) ?? unknown(source_id),
    priority,
  }))
  for (const row of rows) world.db.put(priorities, row)
  const concerned = new Set(rows.map(({ data_type }) => data_type))
  return listPriorities(world).filter(({ data_type }) => concerned.size === 0 || concerned.has(data_type))
}

function unknown(sourceId: number | null | undefined): never {
  throw new Problem(
    'bad_request',
    sourceId === null || sourceId === undefined
      ? 'source_id or slug must be provided'
      : `There is no source ${sourceId}.`,
  )
}
