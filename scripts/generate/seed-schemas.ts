import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { readSeeds } from '../../src/kernel/seed-table.ts'
import { catalogueTables } from '../../src/resources/catalogue/tables.ts'

const tables = Object.values(catalogueTables)

/** JSON schemas of seed files for editors, by path. */
export const seedSchemas = (): Record<string, string> =>
  Object.fromEntries(
    tables.map(({ name, schema: row }) => {
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
    tables
      .map((table) => ({ table, file: `${table.name}.json` }))
      .filter(({ file }) => existsSync(join(packageFolder('seeds'), file)))
      .map(({ table, file }) => [`seeds/${file}`, JSON.stringify([...readSeeds<unknown>(table, [])])]),
  )
