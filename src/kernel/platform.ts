import { homedir } from 'node:os'
import { join } from 'node:path'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A system that Petri runs on, by what it has of that in which systems differ. */
export interface Platform {
  /** Folders can be opened and synced to the disk, so that renamed files survive a power failure. */
  readonly syncsFolders: boolean
  /** Process groups can be signalled, to end a shell with all that it has started. */
  readonly hasProcessGroups: boolean
  /** `/proc` tells when a process started, which process ids belong together, and how many files may be open. */
  readonly hasProcFileSystem: boolean
  /** The signals that can be received and sent; Windows knows those of a closed or interrupted console, and ends the receiver. */
  readonly signals: readonly NodeJS.Signals[]
  /** The command that opens a URL in a browser, with its first arguments. */
  readonly opener: readonly [string, ...string[]]
  /** Where programs keep what they can make again, from the variables of the user. */
  cacheFolder(environment: Environment): string
}

const posix = {
  syncsFolders: true,
  hasProcessGroups: true,
  hasProcFileSystem: false,
  signals: ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'],
} as const

const linux: Platform = {
  ...posix,
  hasProcFileSystem: true,
  opener: ['xdg-open'],
  cacheFolder: ({ XDG_CACHE_HOME }) => XDG_CACHE_HOME || join(homedir(), '.cache'),
}

const platforms: Readonly<Partial<Record<NodeJS.Platform, Platform>>> = {
  linux,
  darwin: { ...posix, opener: ['open'], cacheFolder: () => join(homedir(), 'Library', 'Caches') },
  win32: {
    syncsFolders: false,
    hasProcessGroups: false,
    hasProcFileSystem: false,
    signals: ['SIGHUP', 'SIGINT', 'SIGTERM'],
    // The quotes are the title of the window, which "start" takes first.
    opener: ['cmd', '/c', 'start', '""'],
    cacheFolder: ({ LOCALAPPDATA }) => LOCALAPPDATA || join(homedir(), 'AppData', 'Local'),
  },
}

export const platformOf = (name: NodeJS.Platform): Platform =>
  platforms[name] ?? { ...linux, hasProcFileSystem: false }

/** The system of this process. */
export const platform: Platform = platformOf(process.platform)
