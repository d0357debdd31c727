import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** Starts an HTTP server on this machine that records its requests. It stops when the test ends. */
export async function startServer(answer: (received: Received, response: ServerResponse) => void) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const received = { method: request.method, path: request.url, headers: request.headers, body }
    requests.push(received)
    answer(received, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  onTestFinished(stop)
  return { stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
