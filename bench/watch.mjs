// Loaded into a server before it starts: reports the delay of its event loop over IPC.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('message', () => {
  process.send?.(delays.max / 1e6)
  delays.reset()
})
process.channel?.unref()
