import type { Parsed } from '../../api/schema.ts'
import type { LabSeed } from '../catalogue/schema.ts'
import type { Lab } from './schema.ts'

/** A laboratory in wire format. */
export const presentLab = ({
  state: _,
  clia_number: __,
  genders: ___,
  ...lab
}: LabSeed): Parsed<typeof Lab> => lab
