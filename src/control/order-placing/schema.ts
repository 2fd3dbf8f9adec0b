import * as z from 'zod'
import { boolean, oneOf, uuid } from '../../api/fields.ts'
import { schema } from '../../api/schema.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'

export const OrderPlacing = schema('PetriOrderPlacing', () =>
  z.strictObject({
    scenario: z.string().optional().describe('The scenario it follows; the usual one is chosen if left out.'),
    method: oneOf(collectionMethods)
      .optional()
      .describe('How the sample is collected; as the scenario says, and otherwise testkit.'),
    registrable: boolean().optional().describe('A test kit without a patient, who registers it later.'),
    user_id: uuid().optional().describe('Whose order it is; a new user is made if left out.'),
    lab_test_id: uuid().optional().describe('What is ordered; the first test of the method if left out.'),
    zip: z
      .string()
      .regex(/^\d{5}$/)
      .optional()
      .describe('ZIP code of the patient; 00100 to 00499 pick a scenario.'),
  }),
)
