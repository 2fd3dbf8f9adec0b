import { syncBuiltinESMExports } from 'node:module'

/** Replaces functions of a module of Node, wherever it is imported, until the returned function is called. */
export function replaceIn<Module extends object>(module: Module, functions: Partial<Module>): () => void {
  const originals = Object.fromEntries(
    Object.keys(functions).map((name) => [name, module[name as keyof Module]]),
  )
  const assign = (all: object) => {
    Object.assign(module, all)
    syncBuiltinESMExports()
  }
  assign(functions)
  return () => assign(originals)
}
