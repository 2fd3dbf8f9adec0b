import { html } from 'hono/html'
import type { Html } from '../../api/responses.ts'
import { byName } from '../../kernel/fields.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** What a page in the widget's frame reports to the page that shows it. */
export interface WidgetMessage {
  readonly event: 'load' | 'success' | 'error' | 'exit'
  readonly data: JsonObject
}

/** The script of `/initialize.js`: `window.Vital.create(config)`. Source: docs/contract/phones.md#the-widget. */
const initialize = `(() => {
  const base = document.currentScript.src.replace(/(\\/link)?\\/initialize\\.js.*$/, '')
  const { origin } = new URL(base)
  const call = (callback, ...values) => {
    if (typeof callback === 'function') callback(...values)
  }
  const style = (element, values) => Object.assign(element.style, values)

  const create = (config = {}) => {
    let shown
    const destroy = () => {
      window.removeEventListener('message', listen)
      shown?.box.remove()
      shown = undefined
    }
    const exit = (metadata) => {
      if (!shown) return
      destroy()
      call(config.onExit, metadata)
    }
    const succeed = (metadata) => {
      destroy()
      call(config.onSuccess, metadata)
    }
    const actions = {
      load: () => call(config.onLoad),
      success: succeed,
      error: (metadata) => call(config.onError, metadata),
      exit,
    }
    const listen = (message) => {
      if (message.origin !== origin || message.source !== shown?.frame.contentWindow) return
      const { type, event, data } = message.data ?? {}
      if (type === 'petri:link' && Object.hasOwn(actions, event)) actions[event](data)
    }
    const open = (token) => {
      destroy()
      const box = document.createElement('div')
      const frame = document.createElement('iframe')
      const close = document.createElement('button')
      style(box, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'rgb(0 0 0 / 40%)' })
      style(frame, { width: '100%', height: '100%', maxWidth: '40rem', margin: 'auto', display: 'block', border: '0', background: 'Canvas' })
      style(close, { position: 'absolute', top: '0.5rem', right: '0.5rem' })
      frame.title = 'Connect a provider'
      frame.src = base + '/link?embedded=true&token=' + encodeURIComponent(token)
      close.type = 'button'
      close.textContent = 'Close'
      close.addEventListener('click', () => exit())
      box.append(frame, close)
      shown = { box, frame }
      window.addEventListener('message', listen)
      document.body.append(box)
    }
    return { open, exit, destroy }
  }
  window.Vital = { create }
})()
`

/** The script of the pages in the frame. Browsers deliver the message to a page of one of the origins only. */
const report = `(() => {
  const { origins, ...message } = JSON.parse(document.querySelector('meta[name="petri-link"]').content)
  for (const origin of origins) window.parent.postMessage({ type: 'petri:link', ...message }, origin)
})()
`

/** The scripts of the widget, by path. */
export const widgetScripts = byName<string>({
  '/initialize.js': initialize,
  '/link/initialize.js': initialize,
  '/link/report.js': report,
})

/** The elements that report to the page around the frame. */
export const reportOf = (message: WidgetMessage, origins: readonly string[], script: string): Html =>
  html`<meta name="petri-link" content="${JSON.stringify({ ...message, origins })}">
<script src="${script}" defer></script>`
