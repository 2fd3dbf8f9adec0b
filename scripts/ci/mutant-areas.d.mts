import type { Area } from '../../test/mutants/areas.mjs'

type Areas = Readonly<Record<string, Pick<Area, 'mutate' | 'tests'>>>
export declare function areasWith(areas: Areas, files: readonly string[]): string[]
export declare function dueAreas(
  areas: Areas,
  measured: object,
  changedSince: (commit: string | undefined) => readonly string[] | undefined,
): string[]
