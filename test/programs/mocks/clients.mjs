// How each client sends a request; resolves to the status and the text of the response.
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import axiosOld from 'axios-old'
import got from 'got'
import superagent from 'superagent'
import { request } from 'undici'

const withAxios =
  (client) =>
  async (method, url, headers = {}) => {
    const { status, data } = await client.request({ method, url, headers, responseType: 'text' })
    return { status, body: data }
  }

const withNode = (method, url, headers = {}) =>
  new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http
    request(url, { method, headers }, async (response) =>
      resolve({ status: response.statusCode, body: await text(response) }),
    )
      .on('error', reject)
      .end()
  })

export const clients = {
  'axios 1.7.9': withAxios(axiosOld),
  axios: withAxios(axios),
  fetch: async (method, url, headers) => {
    const response = await fetch(url, { method, headers })
    return { status: response.status, body: await response.text() }
  },
  'node:http(s)': withNode,
  got: async (method, url, headers) => {
    const { statusCode, body } = await got(url, { method, headers, retry: { limit: 0 } })
    return { status: statusCode, body }
  },
  undici: async (method, url, headers) => {
    const { statusCode, body } = await request(url, { method, headers })
    return { status: statusCode, body: await body.text() }
  },
  superagent: async (method, url, headers = {}) => {
    const response = await superagent(method, url).set(headers).buffer(true).parse(superagent.parse.text)
    return { status: response.status, body: response.text }
  },
}
