import { operation } from '../../api/operation.ts'
import { publish } from '../events-stream/publish.ts'
import { Advance, Advanced, Clock, ClockPatch, StoppedAdvance } from './schema.ts'
import * as service from './service.ts'

export const clockOperations = [
  operation({
    id: 'petri_clock_get',
    route: 'GET /_petri/clock',
    summary: 'Show the clock of this world, and when the next work is due',
    returns: Clock,
    run: (world) => service.describeClock(world),
  }),
  operation({
    id: 'petri_clock_patch',
    route: 'PATCH /_petri/clock',
    summary: 'Freeze or unfreeze the clock, set its pace, or set a later time',
    tool: { name: 'set_clock' },
    body: ClockPatch,
    returns: Clock,
    async run(world, { body }) {
      await service.patchClock(world, body)
      const clock = service.describeClock(world)
      publish(world, 'clock', clock)
      return clock
    },
  }),
  operation({
    id: 'petri_clock_advance',
    route: 'POST /_petri/clock/advance',
    summary: 'Advance the clock, run everything that becomes due, and list what happened',
    tool: {
      name: 'advance_clock',
      description:
        'Give one of by (such as 3d or 12h), to (an instant) or until ("idle": until nothing is left to do). Webhooks that fall due are delivered before it answers',
    },
    body: Advance,
    returns: Advanced,
    async run(world, { body }, { clientSignal }) {
      const advancing = service.advance(world, body, clientSignal?.())
      // The stream shows a running advance at once.
      if (world.agenda.advancing) publish(world, 'clock', service.describeClock(world))
      const advanced = await advancing
      publish(world, 'clock', service.describeClock(world))
      return advanced
    },
  }),
  operation({
    id: 'petri_clock_advance_stop',
    route: 'DELETE /_petri/clock/advance',
    summary: 'Stop a running advance; the call that started it answers with what was done so far',
    returns: StoppedAdvance,
    run: (world) => service.stopAdvance(world),
  }),
]
