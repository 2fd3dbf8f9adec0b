import { html, raw } from 'hono/html'
import { CustomResponse } from './operation.ts'

/** HTML made by the `html` of hono, which escapes what is put into it. */
export type Html = ReturnType<typeof html>

const style = raw(`
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 2rem auto; padding: 0 1rem }
  label, ul { display: block; margin: .75rem 0; padding: 0 }
  li { list-style: none; margin: .5rem 0 }
  input, select, button { font: inherit; padding: .4rem .6rem; box-sizing: border-box }
  input, select { width: 100% }
  input[type=checkbox] { width: auto }
  form { margin: 1rem 0 }
  [role=alert] { border-left: .25rem solid #c0392b; padding-left: .75rem }
`)

/** A page without scripts, that loads nothing and sends no referrer. Only `embedders` may show it in a frame. */
export const page = (title: string, body: Html, embedders: readonly string[] = []): CustomResponse<never> =>
  new CustomResponse<never>(
    200,
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString(),
    'text/html; charset=utf-8',
    {
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors ${embedders.join(' ') || "'none'"}`,
      ...(embedders.length === 0 && { 'x-frame-options': 'DENY' }),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  )
