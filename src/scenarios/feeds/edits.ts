import { compare } from '../../kernel/compare.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { notFound, orNotFound, Problem } from '../../kernel/problem.ts'
import type { Connection } from '../../resources/connections/table.ts'
import { deleteSummary, merged, trimmed } from '../../resources/summaries/editing.ts'
import { type Dated, getSummary, listSummaries } from '../../resources/summaries/service.ts'
import { boundsOf, mainOf, storeSummary } from '../../resources/summaries/storing.ts'
import { dateOf } from '../../resources/timeseries/feeds.ts'
import type { World } from '../../world/world.ts'
import type { EditStep } from './steps.ts'

/** Edits a summary as the provider does; a step that has no effect is a warning. */
export function edit(world: World, connection: Connection, step: EditStep): void {
  const { user_id, provider } = connection
  const today = dateOf(world, connection, world.clock.now())
  const date = toDate(Date.parse(today) + step.day * DAY_MS)
  const found = (resource: string) =>
    listSummaries(world, getSummary(resource), user_id, { first: date, last: date, provider })
  const remove = (resource: string, dated: Dated) => deleteSummary(world, user_id, resource, dated)
  try {
    const edited = editOf(step, found(step.resource))
    if (edited.item)
      storeSummary(world, {
        userId: user_id,
        summary: getSummary(step.resource),
        provider,
        item: edited.item,
      })
    for (const dated of edited.gone) remove(step.resource, dated)
    if (step.resource !== 'sleep' || step.verb === 'correct') return
    // The stages of a night by the minute are not those of the edited one.
    const nights = [edited.item, ...edited.gone.map(({ item }) => item)].map((item) => item?.id)
    for (const cycle of found('sleep_cycle'))
      if (nights.includes(cycle.item.sleep_id)) remove('sleep_cycle', cycle)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const context = { user_id, provider, resource: step.resource, date, reason: error.message }
    world.warn('A step of a feed scenario has no effect', context)
  }
}

/** The summary as it is afterwards, and those that no longer exist. */
function editOf(step: EditStep, found: readonly Dated[]) {
  const known = orNotFound(mainOf(found), `there is no ${step.resource} of that day`)
  switch (step.verb) {
    case 'correct':
      return { item: { ...known.item, ...step.values }, gone: [] }
    case 'delete':
      return { item: undefined, gone: [known] }
    case 'trim':
      return { item: trimmed(known.item, step.startMs, step.endMs), gone: [] }
    case 'merge': {
      const [first, second] = found.toSorted((a, b) =>
        compare(boundsOf(a.item).start, boundsOf(b.item).start),
      )
      if (!first || !second) throw notFound(`there is one ${step.resource} of that day`)
      return { item: merged(first.item, second.item), gone: [second] }
    }
  }
}
