// Compares what failing Java tests print with a file, without what differs between two runs:
// ... | node scripts/ci/compare-printed.mjs FILE [--write]
import { readFileSync, writeFileSync } from 'node:fs'

/** Frames of stacks, and causes that are those of Java. */
const FRAME =
  /^ *(at .*|\[\.\.\.\]|[\w.$/]+\(([\w$]+\.java:\d+|Native Method|Unknown Source)\)|Caused by: java\..*|MethodSource .*)\n/gm
const VARYING = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
  [/key sk_us_\w+/g, 'key KEY'],
  [/^\S+(?= {2}GET \/v2\/user\/\{)/gm, 'NOW'],
  [/Time elapsed: [\d.]+ s/g, 'Time elapsed: N s'],
  // Of Maven, only what it says of the tests; of the console, no counts of containers.
  [/^[\s\S]*\n\[INFO\] Running .*\n|\n\[INFO\] -+\n\[INFO\] BUILD FAILURE[\s\S]*$/g, ''],
  [/\nTest run finished after[\s\S]*$/g, ''],
  [/\nFailures \(\d+\):\n/g, ''],
]

/** Tests that run at the same time end in any order, and what is slow on a busy machine is told twice. */
const blocks = (text) => {
  const found = text.split(/^(?=Petri: | {2}JUnit Jupiter:)/m)
  // Of the log of a killed Petri, its last lines may be missing.
  return [
    ...new Set(found.map((block) => block.replace(/(Petri is ready at .*\n)[\s\S]*/, '$1  …\n'))),
  ].sort()
}

const [file, flag] = process.argv.slice(2)
const printed = VARYING.reduce(
  (text, [pattern, by]) => text.replace(pattern, by),
  readFileSync(0, 'utf8').replace(FRAME, ''),
)
const text = `${blocks(printed).join('').replace(/^\n+/, '').trimEnd()}\n`
if (flag === '--write') writeFileSync(file, text)
else if (text !== readFileSync(file, 'utf8')) {
  console.error(`The tests print something else than ${file}:\n${text}`)
  process.exitCode = 1
}
