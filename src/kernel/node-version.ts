/** Why this Node cannot run Petri, in one sentence; undefined if it can. */
export function whyTooOld(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return undefined
  return `Petri needs Node 20.19 or later; this is Node ${process.versions.node}.`
}
