import type { Command } from 'commander'
import type { Agenda } from '../../client/responses.ts'
import { idsThatBegin } from '../ids.ts'
import { columns, paint, readable } from '../output.ts'
import { numberOf, registerRemote, remote } from '../remote.ts'

export function registerAgenda(program: Command): void {
  registerRemote(program, [
    remote({
      usage: 'agenda [subject]',
      summary: 'what is still to be done, and when; of one order, message or user if its id is given',
      options: [['--limit <number>', 'how many at most; 100 unless set']],
      examples: ['petri agenda', 'petri agenda 5f3a…', 'petri agenda --json | jq .data[0].due'],
      run: async (petri, [given], { limit }) => {
        const beginning = given?.replace(/(\u2026|\.\.\.)$/, '')
        const { ids = [] } = beginning ? await idsThatBegin(petri, undefined, beginning) : {}
        const subject = ids.length === 1 ? ids[0] : beginning
        return petri.get<Agenda>('/_petri/agenda', { subject, limit: numberOf('--limit', limit) })
      },
      print: ({ data, total }) => {
        const rows = data.map(({ due, subject, does, recurring }) => [
          readable(due),
          does + (recurring ? ' (again and again)' : ''),
          subject,
        ])
        const head = paint(`${total} to be done`, 'dim')
        return rows.length === 0 ? head : `${columns(rows, ['due', 'what', 'about'])}\n${head}`
      },
    }),
  ])
}
