/** Points of a curve in the order of x, with straight lines between them. */
export type Points = readonly (readonly [x: number, y: number])[]

/** The value of a curve; before its first point and after its last one, that of the point. */
export function valueAt(points: Points, x: number): number {
  const next = points.findIndex(([at]) => at >= x)
  const [laterX, laterY] = points[next] ?? points.at(-1) ?? [x, 0]
  const [beforeX, beforeY] = points[next - 1] ?? [laterX, laterY]
  return laterX === beforeX ? laterY : beforeY + ((laterY - beforeY) * (x - beforeX)) / (laterX - beforeX)
}
