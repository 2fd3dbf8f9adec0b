import { operation } from '../../api/operation.ts'
import { tell } from '../events-stream/tell.ts'
import { Advance, Advanced, Clock, ClockPatch } from './schema.ts'
import * as service from './service.ts'

const tag = 'petri'

export const clockOperations = [
  operation({
    id: 'petri_clock_get',
    route: 'GET /_petri/clock',
    tag,
    summary: 'Where the clock of this world stands, and what is due next',
    returns: Clock,
    run: (world) => service.describeClock(world),
  }),
  operation({
    id: 'petri_clock_patch',
    route: 'PATCH /_petri/clock',
    tag,
    summary: 'Freeze the clock or let it run, set its pace, or move it forward',
    body: ClockPatch,
    returns: Clock,
    async run(world, { body }) {
      await service.patchClock(world, body)
      const clock = service.describeClock(world)
      tell(world, 'clock', clock)
      return clock
    },
  }),
  operation({
    id: 'petri_clock_advance',
    route: 'POST /_petri/clock/advance',
    tag,
    summary: 'Move the clock, running all that falls due on the way, and tell what happened',
    body: Advance,
    returns: Advanced,
    async run(world, { body }) {
      const advanced = await service.advance(world, body)
      tell(world, 'clock', service.describeClock(world))
      return advanced
    },
  }),
]
