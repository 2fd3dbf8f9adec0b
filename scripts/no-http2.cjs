// In the place of `node:http2`, whose loading takes 14 ms of a start: what @hono/node-server asks of it is whether a request is one
// of HTTP/2, and Petri serves HTTP/1.1.
exports.Http2ServerRequest = class {}
exports.constants = {}
