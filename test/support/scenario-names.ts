import { readdirSync } from 'node:fs'

/** Scenarios of orders in the gallery; with `feeds`, those of connections. */
export const scenarioNames = (folder: '' | 'feeds/' = ''): string[] =>
  readdirSync(new URL(`../../scenarios/${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''))
