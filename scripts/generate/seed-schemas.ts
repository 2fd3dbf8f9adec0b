import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { LazySchema } from '../../src/api/schema.ts'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { LabProfileSeed } from '../../src/resources/catalogue/lab-profiles.ts'
import { OrderableSeed } from '../../src/resources/catalogue/orderables.ts'
import {
  AreaInfoSeed,
  HomeSeed,
  PhlebotomyAreaSeed,
  PscInfoSeed,
  PscSiteSeed,
  TownsSeed,
} from '../../src/resources/catalogue/places.ts'
import { readSeeds, type seedFileNames } from '../../src/resources/catalogue/read-seeds.ts'
import * as rows from '../../src/resources/catalogue/schema.ts'
import { ProviderSeed } from '../../src/resources/catalogue/schema.ts'

const rowOf: Readonly<Record<(typeof seedFileNames)[number], LazySchema>> = {
  labs: rows.LabSeed,
  'lab-profiles': LabProfileSeed,
  units: rows.UnitSeed,
  analytes: rows.AnalyteSeed,
  panels: rows.PanelSeed,
  results: rows.ResultSeed,
  markers: rows.MarkerSeed,
  orderables: OrderableSeed,
  'lab-tests': rows.LabTestSeed,
  'lab-accounts': rows.LabAccountSeed,
  payors: rows.PayorSeed,
  diagnoses: rows.DiagnosisSeed,
  'diagnosis-excludes': rows.DiagnosisExcludeSeed,
  'cancer-signal-origins': rows.CancerSignalOriginSeed,
  turnarounds: rows.TurnaroundSeed,
  'psc-sites': PscSiteSeed,
  'phlebotomy-areas': PhlebotomyAreaSeed,
  'area-info': AreaInfoSeed,
  'psc-info': PscInfoSeed,
  towns: TownsSeed,
  homes: HomeSeed,
  providers: ProviderSeed,
  'provider-traits': rows.ProviderTraitsSeed,
}

/** JSON schemas of seed files for editors, by path. */
export const seedSchemas = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rowOf).map(([name, row]) => {
      const rows = z.array(row())
      const list = z.union([rows, z.strictObject({ complete: z.boolean(), rows })])
      const schema = z.toJSONSchema(list, { io: 'input', unrepresentable: 'any', reused: 'ref' })
      const title = `Rows of ${name}.json of Petri`
      return [`seeds/schemas/${name}.schema.json`, `${JSON.stringify({ title, ...schema }, null, 2)}\n`]
    }),
  )

/** The bundled seeds as their schemas return them, by path in `dist`. */
export const builtSeeds = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rowOf)
      .map(([name, row]) => ({ file: `${name}.json`, row }))
      .filter(({ file }) => existsSync(join(packageFolder('seeds'), file)))
      .map(({ file, row }) => [
        `seeds/${file}`,
        JSON.stringify([...readSeeds([packageFolder('seeds')], file, row, JSON.stringify).values()]),
      ]),
  )
