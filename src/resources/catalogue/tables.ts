import { entriesOf } from '../../kernel/fields.ts'
import { once } from '../../kernel/once.ts'
import { readSeeds, type SeedTable, seedTable } from '../../kernel/seed-table.ts'
import { LabProfileSeed } from './lab-profiles.ts'
import { OrderableSeed } from './orderables.ts'
import { AreaInfoSeed, HomeSeed, PhlebotomyAreaSeed, PscInfoSeed, PscSiteSeed, TownsSeed } from './places.ts'
import {
  AnalyteSeed,
  CancerSignalOriginSeed,
  DiagnosisExcludeSeed,
  DiagnosisSeed,
  LabAccountSeed,
  LabSeed,
  LabTestSeed,
  MarkerSeed,
  PanelSeed,
  PayorSeed,
  ProviderSeed,
  ProviderTraitsSeed,
  ResultSeed,
  TurnaroundSeed,
  UnitSeed,
} from './schema.ts'

/** The tables of the catalogue, with the cells that identify their rows: the files that a folder of seeds may have. */
export const catalogueTables = {
  labs: seedTable('labs', LabSeed, 'slug'),
  labProfiles: seedTable('lab-profiles', LabProfileSeed, 'lab'),
  units: seedTable('units', UnitSeed, 'unit'),
  analytes: seedTable('analytes', AnalyteSeed, 'slug'),
  panels: seedTable('panels', PanelSeed, 'slug'),
  results: seedTable('results', ResultSeed, 'id'),
  listedMarkers: seedTable('markers', MarkerSeed, 'id'),
  orderables: seedTable('orderables', OrderableSeed, 'id'),
  labTests: seedTable('lab-tests', LabTestSeed, 'slug'),
  labAccounts: seedTable('lab-accounts', LabAccountSeed, 'slug'),
  payors: seedTable('payors', PayorSeed, 'payor_code'),
  diagnoses: seedTable('diagnoses', DiagnosisSeed, 'code'),
  diagnosisExcludes: seedTable('diagnosis-excludes', DiagnosisExcludeSeed, 'code', 'type'),
  cancerSignalOrigins: seedTable('cancer-signal-origins', CancerSignalOriginSeed, 'origin'),
  turnarounds: seedTable('turnarounds', TurnaroundSeed, 'of'),
  pscSites: seedTable('psc-sites', PscSiteSeed, 'lab', 'site_code'),
  phlebotomyAreas: seedTable('phlebotomy-areas', PhlebotomyAreaSeed, 'zip_code'),
  areaInfo: seedTable('area-info', AreaInfoSeed, 'zip_code', 'radius'),
  pscInfo: seedTable('psc-info', PscInfoSeed, 'lab', 'zip_code'),
  listedTowns: seedTable('towns', TownsSeed, 'towns'),
  homes: seedTable('homes', HomeSeed, 'city', 'state'),
  providers: seedTable('providers', ProviderSeed, 'slug'),
  providerTraits: seedTable('provider-traits', ProviderTraitsSeed, 'slug'),
}

type RowOf<Table> = Table extends SeedTable<infer Row> ? Row : never
type CatalogueTables = {
  readonly [Name in keyof typeof catalogueTables]: () => ReadonlyMap<
    string,
    RowOf<(typeof catalogueTables)[Name]>
  >
}

export type SeedFileName = (typeof catalogueTables)[keyof typeof catalogueTables]['name']
export const seedFileNames = Object.values(catalogueTables).map(({ name }): SeedFileName => name)

/** The tables with the rows of some folders; each is read when it is first called. */
export const readTables = (folders: readonly string[]) =>
  Object.fromEntries(
    entriesOf(catalogueTables).map(([name, table]) => [name, once(() => readSeeds<unknown>(table, folders))]),
  ) as CatalogueTables
