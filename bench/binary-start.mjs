// node bench/binary-start.mjs: the time until Petri is ready, of the binary for this system and of dist/ with the Node inside the binary.
import { join } from 'node:path'
import { fileOf, ownPlatform, platforms } from '../scripts/binaries/platforms.mjs'
import { root } from '../scripts/bundle.mjs'
import { withRunningPetri } from '../scripts/running-petri.mjs'
import { median } from './statistics.mjs'

const ROUNDS = 9
const { package: name, version, file } = platforms[ownPlatform]
const node = join(root, 'node_modules/.cache/petri/binaries', `${name}-${version}`, 'package', file)
const ways = {
  binary: [join(root, 'release/binaries', fileOf(ownPlatform)), []],
  'node dist/cli/main.js': [node, [join(root, 'dist/cli/main.js')]],
}

const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
// In turns, so that both have the same company. The first round fills caches.
for (let round = 0; round <= ROUNDS; round++) {
  for (const [way, [command, args]] of Object.entries(ways)) {
    const started = performance.now()
    const ready = await withRunningPetri(command, args, () => performance.now() - started)
    if (round > 0) times[way].push(ready)
  }
}
const [binary, built] = Object.entries(times).map(([way, all]) => {
  console.log(`${way}: ${median(all).toFixed(0)} ms, the median of ${ROUNDS}`)
  return median(all)
})
console.log(`ratio ${(binary / built).toFixed(2)}`)
