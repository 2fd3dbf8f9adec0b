import type { Command } from 'commander'
import type { Triggered } from '../../client/responses.ts'
import { wholeIdOf } from '../ids.ts'
import { columns } from '../output.ts'
import { registerRemote, remote, textOf } from '../remote.ts'
import { messageHeads, rowOfMessage } from './webhook-views.ts'

export function registerTrigger(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'trigger <event>',
      summary: 'send an event of the catalogue about an object, without changing it',
      options: [
        ['--order <order>', 'about this order'],
        ['--user <user>', 'about this user'],
        ['--provider <provider>', 'about the connection to this provider'],
        ['--appointment <appointment>', 'about this appointment'],
        ['--job <job>', 'about this job'],
      ],
      examples: [
        'petri trigger labtest.order.updated --order ORDER_ID',
        'petri trigger provider.connection.created --user USER_ID --provider oura',
      ],
      run: async (petri, [event_type], { order, user, provider, appointment, job }) =>
        petri.post<Triggered>('/_petri/trigger', {
          event_type,
          order_id: await wholeIdOf(petri, 'order', textOf(order)),
          user_id: await wholeIdOf(petri, 'user', textOf(user)),
          provider: textOf(provider),
          appointment_id: await wholeIdOf(petri, 'appointment', textOf(appointment)),
          job_id: await wholeIdOf(petri, 'job', textOf(job)),
        }),
      print: describe,
    }),
  ])
}

function describe({ event_id, event_type, made_up, messages }: Triggered): string {
  const what = `${event_id}  ${event_type}${made_up ? '  (an example: the object has no such data)' : ''}`
  if (messages.length === 0) return `${what}\nNo endpoint subscribes to it; "petri webhook add URL" adds one.`
  return `${what}\n${columns(messages.map(rowOfMessage), messageHeads)}`
}
