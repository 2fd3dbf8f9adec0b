import { beforeEach, vi } from 'vitest'

/** Opens the network for the tests of a file, which talk to servers of their own on this machine. */
export const openNetwork = (): void => beforeEach(() => void vi.unstubAllGlobals())
