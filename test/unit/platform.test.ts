import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { platformOf } from '../../src/kernel/platform.ts'

describe('the systems that Petri runs on', () => {
  it('differ in what can be synced, signalled and read', () => {
    const differences = (['linux', 'darwin', 'win32'] as const).map((name) => {
      const { syncsFolders, hasProcessGroups, hasProcFileSystem } = platformOf(name)
      return { name, syncsFolders, hasProcessGroups, hasProcFileSystem }
    })
    expect(differences).toEqual([
      { name: 'linux', syncsFolders: true, hasProcessGroups: true, hasProcFileSystem: true },
      { name: 'darwin', syncsFolders: true, hasProcessGroups: true, hasProcFileSystem: false },
      { name: 'win32', syncsFolders: false, hasProcessGroups: false, hasProcFileSystem: false },
    ])
  })

  it('have a folder for caches, which their own variable may move', () => {
    expect(platformOf('linux').cacheFolder({})).toBe(join(homedir(), '.cache'))
    expect(platformOf('linux').cacheFolder({ XDG_CACHE_HOME: '/var/cache' })).toBe('/var/cache')
    expect(platformOf('darwin').cacheFolder({})).toBe(join(homedir(), 'Library', 'Caches'))
    expect(platformOf('win32').cacheFolder({ LOCALAPPDATA: 'D:\\Local' })).toBe('D:\\Local')
  })

  it('send and receive only the signals that the system has', () => {
    expect(platformOf('win32').signals).not.toContain('SIGUSR1')
  })

  it('are taken for a Linux without /proc when they are none of these', () => {
    expect(platformOf('freebsd')).toEqual({
      ...platformOf('linux'),
      hasProcFileSystem: false,
      cacheFolder: expect.any(Function),
    })
  })
})
