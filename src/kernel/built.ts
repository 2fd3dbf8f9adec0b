import { createRequire } from 'node:module'

/** Set by the build: the folder of the packages that it bundles apart, from the bundle of this code. */
declare const PACKAGES: string | undefined

/** Whether this is a bundle, next to which the build has written the seeds and scenarios, validated and parsed. */
export const isBuilt = typeof PACKAGES !== 'undefined'

/** Loads a package that is bundled apart, synchronously, because verbs are synchronous. */
export const loadPackage = <Package>(name: string, file: string): Package =>
  createRequire(import.meta.url)(typeof PACKAGES === 'undefined' ? name : `${PACKAGES}${file}`)
