import * as z from 'zod'
import curveRows from '../../seeds/people/curves.json' with { type: 'json' }
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'

/** The value of a curve; before its first point and after its last one, that of the point. */
export function valueAt(points: Points, x: number): number {
  const next = points.findIndex(([at]) => at >= x)
  const [laterX, laterY] = points[next] ?? points.at(-1) ?? [x, 0]
  const [beforeX, beforeY] = points[next - 1] ?? [laterX, laterY]
  return laterX === beforeX ? laterY : beforeY + ((laterY - beforeY) * (x - beforeX)) / (laterX - beforeX)
}
/** Points of a curve in the order of x, with straight lines between them. */
export const points = () =>
  z
    .array(z.tuple([z.number(), z.number()]))
    .min(1)
    .refine(
      (all) => all.every(([x], at) => at === 0 || x > (all[at - 1]?.[0] ?? 0)),
      'should be in the order of x',
    )
export type Points = SeedRow<typeof points>

export const curves = bundledTable('people/curves.json', curveRows, points)
