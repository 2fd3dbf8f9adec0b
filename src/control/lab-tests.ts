import * as z from 'zod'
import { uuid } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { conflict } from '../kernel/problem.ts'
import { createLabTest } from '../resources/lab-tests/administration.ts'
import { LabTest, NewLabTest } from '../resources/lab-tests/schema.ts'
import { findLabTest, presentLabTest } from '../resources/lab-tests/service.ts'

const LabTestCreation = schema('PetriLabTestCreation', () =>
  z.strictObject({
    ...NewLabTest().shape,
    id: uuid().optional().describe('Its id; a new one if omitted.'),
  }),
)

export const createLabTestOperation = operation({
  id: 'petri_lab_tests_create',
  route: 'POST /_petri/lab_tests',
  summary: 'Create a lab test from markers, with an id of your choice',
  body: LabTestCreation,
  returns: LabTest,
  status: 201,
  run(world, { body: { id, ...body } }) {
    if (id !== undefined && findLabTest(world, id)) throw conflict(`There is already a lab test ${id}.`)
    return presentLabTest(world, createLabTest(world, body, id))
  },
})
