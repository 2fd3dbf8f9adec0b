import { ThreadsPoolWorker } from 'vitest/node'

/** The number of test runs after which the thread is replaced. */
const RUNS_EACH = 50

let thread
let runs = 0

/**
 * A worker thread that stays for many test runs, each with another mutant switched on. Loading the program takes ten times as
 * long as the tests that reach a mutant.
 */
class KeptWorker extends ThreadsPoolWorker {
  name = 'kept'
  #listeners = []

  async start() {
    if (runs++ % RUNS_EACH === 0) {
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
export const keptWorker = {
  name: 'kept-worker',
  configureVitest({ project: { config } }) {
    config.pool = 'kept'
    config.poolRunner = { name: 'kept', createPoolWorker: (options) => new KeptWorker(options) }
  },
}
