import { execFileSync } from 'node:child_process'

/**
 * Files that the change touches, committed or not; undefined where there is no earlier commit. It starts from the given commit,
 * by default CI_BASE, else from where the branch has left origin/main, else from the parent.
 */
export function changedFiles(since) {
  const base = since || process.env.CI_BASE || mergeBase() || git('rev-parse', '--verify', 'HEAD^1')
  const changed = base && git('diff', '--name-only', base)
  return changed?.split('\n').filter(Boolean)
}

function mergeBase() {
  const base = git('merge-base', 'HEAD', 'origin/main')
  return base === git('rev-parse', 'HEAD') ? undefined : base
}

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
