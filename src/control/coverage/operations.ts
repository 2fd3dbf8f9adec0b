import { type AnyOperation, operation } from '../../api/operation.ts'
import { Coverage } from './schema.ts'
import { describeCoverage } from './service.ts'

export const coverageOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_coverage',
    route: 'GET /_petri/coverage',
    summary:
      "Show which operations, statuses, events and errors this world's clients have met since Petri started, and which not",
    tool: { name: 'get_coverage' },
    returns: Coverage,
    run: (world) => describeCoverage(world, mirrored()),
  }),
]
