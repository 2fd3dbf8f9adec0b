/** How many letters have to be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? a.length
}

/** The name that is most like another; undefined when none is alike. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const sorted = [...new Set(known)]
    .map((each) => ({ each, far: distance(name, each) }))
    .sort((a, b) => a.far - b.far)
  const [best] = sorted
  return best && best.far <= Math.max(2, name.length / 3) ? best.each : undefined
}
