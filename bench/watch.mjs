// Loaded into a server before it starts: tells over IPC how long its event loop has stood still.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('message', () => {
  process.send?.(delays.max / 1e6)
  delays.reset()
})
process.channel?.unref()
