import { ThreadsPoolWorker } from 'vitest/node'

let thread
let runs = 0

/**
 * A worker thread that stays for many test runs, each with another mutant switched on. Loading the program takes ten times as
 * long as the tests that reach a mutant.
 */
class KeptWorker extends ThreadsPoolWorker {
  /** The number of test runs after which the thread is replaced. */
  static runsEach = 50
  name = 'kept'
  #listeners = []

  async start() {
    if (runs++ % KeptWorker.runsEach === 0) {
      await thread?.terminate()
      thread = undefined
    }
    this._thread = thread
    await super.start()
    thread = this._thread
  }

  on(event, listener) {
    this.#listeners.push([event, listener])
    super.on(event, listener)
  }

  send(message) {
    if (message.type !== 'stop') return super.send(message)
    for (const [event, listener] of this.#listeners)
      if (event === 'message') listener({ type: 'stopped', __vitest_worker_response__: true })
  }

  async stop() {
    for (const [event, listener] of this.#listeners) this.off(event, listener)
    this._thread.stdout.unpipe(this.stdout)
    this._thread.stderr.unpipe(this.stderr)
    this._thread = undefined
  }
}

/** Runs all tests in a kept thread; Stryker would choose another pool otherwise. */
export const keptWorker = (runsEach) => ({
  name: 'kept-worker',
  configureVitest({ project: { config } }) {
    KeptWorker.runsEach = runsEach
    config.pool = 'kept'
    config.poolRunner = { name: 'kept', createPoolWorker: (options) => new KeptWorker(options) }
  },
})
