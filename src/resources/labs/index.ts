import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { JsonText } from '../../kernel/json.ts'
import { LabList, presentLab } from './schema.ts'

const labOperations = [
  operation({
    id: 'lab_tests_get_labs',
    route: 'GET /v3/lab_tests/labs',
    summary: 'List the laboratories',
    returns: LabList,
    run(world) {
      const catalogue = world.services.catalogue
      return catalogue.remember<Parsed<typeof LabList>>('labs', () => {
        const labs = [...catalogue.labs().values()].map(presentLab)
        return new JsonText(JSON.stringify(labs))
      })
    },
  }),
]

export const labResource: Resource = { name: 'labs', operations: labOperations }
