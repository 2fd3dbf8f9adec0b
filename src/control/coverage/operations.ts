import { type AnyOperation, operation } from '../../api/operation.ts'
import { Coverage } from './schema.ts'
import { describeCoverage } from './service.ts'

export const coverageOperations = (mirrored: () => readonly AnyOperation[]) => [
  operation({
    id: 'petri_coverage',
    route: 'GET /_petri/coverage',
    tag: 'petri',
    summary:
      "What this world's clients have met of the service since it was opened, and what they never have",
    returns: Coverage,
    run: (world) => describeCoverage(world, mirrored()),
  }),
]
