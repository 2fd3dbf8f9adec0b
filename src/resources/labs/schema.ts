import * as z from 'zod'
import { nullableText, type Parsed, schema } from '../../api/schema.ts'
import { omit } from '../../kernel/fields.ts'
import { collectionMethods, type LabSeed, sampleTypes } from '../catalogue/schema.ts'

export const CollectionMethod = schema('CollectionMethod', () => z.enum(collectionMethods))
export const SampleType = schema('SampleType', () => z.enum(sampleTypes))

export const Lab = schema('Lab', () => ({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  first_line_address: z.string(),
  city: z.string(),
  zipcode: z.string(),
  collection_methods: z.array(CollectionMethod()),
  sample_types: z.array(SampleType()),
  logo_url: nullableText(),
}))

export const LabList = schema('LabList', () => z.array(Lab()))

/** A laboratory in wire format. */
export const presentLab = (lab: LabSeed): Parsed<typeof Lab> => omit(lab, 'state', 'clia_number', 'genders')
