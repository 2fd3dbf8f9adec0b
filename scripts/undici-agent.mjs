// In the place of `undici`, whose index would bring `fetch` and much else that Petri does not use.
export { default as buildConnector } from '../node_modules/undici/lib/core/connect.js'
export { default as Agent } from '../node_modules/undici/lib/dispatcher/agent.js'
