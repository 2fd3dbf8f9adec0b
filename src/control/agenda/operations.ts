import { operation } from '../../api/operation.ts'
import { AgendaList, AgendaQuery } from './schema.ts'
import { listAgenda } from './service.ts'

export const agendaOperations = [
  operation({
    id: 'petri_agenda',
    route: 'GET /_petri/agenda',
    summary: 'What is still to be done in this world, and when: the earliest first',
    query: AgendaQuery,
    returns: AgendaList,
    run: (world, { query }) => listAgenda(world, query),
  }),
]
