import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { POINTS } from '../building/air-handler-points.ts'
import type { LiveBuilding } from '../building/live-building.ts'
import type { ObixFaults } from '../faults.ts'
import { createObixModel, type ObixModel, type Verb } from './model.ts'
import { errOf } from './objects.ts'
import { type Element, parseXml, renderXml } from './xml.ts'

export interface ObixServer {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  /** Replaces all faults. */
  misbehave(faults: ObixFaults): void
  stop(): Promise<void>
}

export interface ObixServerOptions {
  host: string
  port: number
  /** `user:password`, if a login is required. */
  login: string | undefined
  building: LiveBuilding
  faults: ObixFaults
  clock: Clock
  log: Log
}

const MAX_BODY = 65_536
const MAX_CLIENTS = 100

/** Starts an oBIX 1.0 server over HTTP, with its lobby at `/obix/`. Rejects if the port is in use. */
export async function startObixServer(options: ObixServerOptions): Promise<ObixServer> {
  const { building, clock, log } = options
  let { faults } = options
  const model = createObixModel({ points: POINTS, building, clock, faults: () => faults })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (faults.reset) return void request.socket.resetAndDestroy()
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const body = await bodyOf(request)
    if (faults.late) await sleep(clock, faults.late, gone.signal)
    if (response.destroyed) return
    if (options.login !== undefined && request.headers.authorization !== basic(options.login)) {
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="oBIX"' }).end()
    }
    if (body === undefined) return void response.writeHead(413, { Connection: 'close' }).end()
    if (faults['huge-body']) return await sendHugeBody(response, faults['huge-body'] * 1_000_000)
    const answer = faults.err ? errOf('UnsupportedErr', 'out of order') : answerTo(model, request, body)
    send(response, atOwnAddress(answer, request))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      log.debug({ error: error.message }, 'an oBIX client went away')
      response.destroy()
    })
  })
  server.maxConnections = MAX_CLIENTS
  server.listen(options.port, options.host)
  await once(server, 'listening')

  const { address, port } = server.address() as AddressInfo
  return {
    host: address,
    port,
    misbehave(next) {
      faults = next
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const VERBS: ReadonlyMap<string | undefined, Verb> = new Map([
  ['GET', 'read'],
  ['PUT', 'write'],
  ['POST', 'invoke'],
])

function answerTo(model: ObixModel, { method, url = '' }: IncomingMessage, body: string): Element {
  const verb = VERBS.get(method)
  if (!verb) return errOf('UnsupportedErr', `${method} is not one of: ${[...VERBS.keys()].join(', ')}`)
  let input: Element | undefined
  try {
    // An operation without parameters needs no body.
    if (verb !== 'read' && body.trim() !== '') input = parseXml(body)
  } catch (error) {
    return errOf(undefined, `the request cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  return model.request(verb, url.split('?', 1)[0] ?? '', input)
}

/** Makes the href of an answer a full address with the host that the client used. */
function atOwnAddress(answer: Element, { headers }: IncomingMessage): Element {
  const { href } = answer.attributes
  if (!href || !headers.host) return answer
  return { ...answer, attributes: { ...answer.attributes, href: `http://${headers.host}${href}` } }
}

function send(response: ServerResponse, answer: Element): void {
  const body = renderXml(answer)
  // An err is sent with 200 too, because HTTP itself succeeded.
  response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

/** Returns the body; `undefined` if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`

const CHUNK = Buffer.alloc(65_536, 'x')

/** Sends an object whose first attribute has this many bytes. Stops when the client disconnects. */
async function sendHugeBody(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' })
  response.write('<real xmlns="http://obix.org/ns/schema/1.0" display="')
  const closed = once(response, 'close')
  for (let sent = 0; sent < bytes && !response.destroyed; sent += CHUNK.length) {
    const taken = response.write(CHUNK)
    if (!taken && !response.destroyed) await Promise.race([once(response, 'drain'), closed])
  }
  if (!response.destroyed) response.end('" val="1"/>')
}
