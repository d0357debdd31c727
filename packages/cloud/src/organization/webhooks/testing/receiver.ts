import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Received {
  headers: Record<string, string>
  body: string
  bytes: Buffer
  path: string
}

export type Answering = (response: ServerResponse, received: Received) => void

/** A real receiver on this machine, with what it got. Answers 204 unless told otherwise. */
export async function startReceiver(answering: Answering = (response) => void response.writeHead(204).end()) {
  const got: Received[] = []
  const state = { answering }
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request)
    const received = {
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: bytes.toString(),
      bytes,
      path: request.url ?? '',
    }
    got.push(received)
    state.answering(response, received)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got, state }
}
