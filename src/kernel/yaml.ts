import type * as Yaml from 'yaml'
import { loadPackage } from './built.ts'
import { once } from './once.ts'

/** The YAML parser, loaded on first use: the bundled files need none. */
export const yaml = once(() => loadPackage<typeof Yaml>('yaml', 'yaml.cjs'))
