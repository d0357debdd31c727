import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A point of the server: `<tag val="…" …/>`. */
export interface ServedPoint {
  tag: string
  val: string
  /** Further attributes, as written in the tag. */
  attributes?: string
  writable?: boolean
  /** The attributes of its `writePoint` operation if it has one. */
  writePoint?: string
}

export interface SeenRequest {
  method: string
  path: string
  body: string
  authorization: string | undefined
}

/** Answers instead of the server, or not at all; `obey` sends the regular answer. */
export type Trick = (request: SeenRequest, response: ServerResponse, obey: () => void) => void

/** A small oBIX server that can also misbehave. */
export interface ObixServer {
  port: number
  url: string
  points: Map<string, ServedPoint>
  /** The operations in the lobby. */
  offers: { batch: boolean; watchService: boolean }
  requests: SeenRequest[]
  /** Returns how many sockets were accepted so far. */
  accepted(): number
  /** Returns how many of them are open. */
  openSockets(): number
  /** Passes every request to `trick` from now on; `undefined` ends that. */
  play(trick: Trick | undefined): void
  /** Ends the leases of all watches. */
  forgetWatches(): void
  watches(): number
  /** Reports no more changes to watches. */
  mute(): void
  /** Reads requests and does not answer any more. */
  silence(): void
  /** Closes every socket and refuses new ones. */
  drop(): Promise<void>
  /** Ends silence and drop. */
  heal(): Promise<void>
  stop(): Promise<void>
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The objects of the server and the state of its clients. */
interface Model {
  readonly url: () => string
  readonly points: Map<string, ServedPoint>
  readonly offers: ObixServer['offers']
  /** The last reported object by href, for each watch by its number. */
  readonly watches: Map<string, Map<string, string>>
  lastWatch: number
  isMute: boolean
}

export async function startObixServer(
  points: Record<string, ServedPoint> = {},
  tls?: ServerOptions,
): Promise<ObixServer> {
  const model: Model = {
    url: () => `${tls ? 'https' : 'http'}://127.0.0.1:${port}/obix/`,
    points: new Map(Object.entries(points)),
    offers: { batch: true, watchService: true },
    watches: new Map(),
    lastWatch: 0,
    isMute: false,
  }
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let accepted = 0
  let trick: Trick | undefined
  let silent = false

  const listener: RequestListener = async (message, response) => {
    const request = await received(message)
    requests.push(request)
    if (silent) return
    const obey = () => {
      response.writeHead(200, { 'content-type': 'text/xml' }).end(XML_HEAD + answerTo(model, request))
    }
    if (trick) trick(request, response, obey)
    else obey()
  }

  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener)
  server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)

  async function drop(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    await closed
  }

  return {
    port,
    url: model.url(),
    points: model.points,
    offers: model.offers,
    requests,
    accepted: () => accepted,
    openSockets: () => sockets.size,
    play(next) {
      trick = next
    },
    forgetWatches: () => model.watches.clear(),
    watches: () => model.watches.size,
    mute() {
      model.isMute = true
    },
    silence() {
      silent = true
    },
    drop,
    async heal() {
      silent = false
      if (!server.listening) await listen(port)
    },
    stop: drop,
  }
}

async function received(message: IncomingMessage): Promise<SeenRequest> {
  let body = ''
  message.setEncoding('utf8')
  // The client may disconnect in the middle of a request.
  message.on('error', () => {})
  message.on('data', (chunk: string) => {
    body += chunk
  })
  await once(message, 'close')
  const { method = '', url = '', headers } = message
  return { method, path: url, body, authorization: headers.authorization }
}

const nameIn = (href: string) => /^(?:https?:\/\/[^/]+)?\/obix\/points\/([^/]+)\/?$/.exec(decode(href))?.[1]

function objectAt({ points }: Model, href: string, attributes = ''): string {
  const point = points.get(nameIn(href) ?? '')
  if (!point) return err('obix:BadUriErr', `no ${decode(href)}`, ` href="${href}"`)
  const { tag, val, writable, writePoint } = point
  const operation = writePoint === undefined ? '' : `<op name="writePoint" in="obix:WritePointIn" ${writePoint}/>`
  const all = `${attributes} href="${href}" val="${val}" writable="${writable === true}" ${point.attributes ?? ''}`
  return `<${tag}${all}>${operation}</${tag}>`
}

function write(model: Model, href: string, body: string): string {
  const point = model.points.get(nameIn(href) ?? '')
  const value = /<(bool|int|real)[^>]* val="([^"]*)"/.exec(body)
  if (!point) return objectAt(model, href)
  if (point.writable !== true) return err('obix:PermissionErr', `${href} is read-only`)
  if (value?.[1] !== point.tag) return err('obix:UnsupportedErr', `${href} is a ${point.tag}`)
  point.val = value[2] as string
  return objectAt(model, href)
}

function watchOut(model: Model, seen: Map<string, string>, hrefs: Iterable<string>, onlyChanges: boolean): string {
  const values = [...hrefs].flatMap((href) => {
    const object = objectAt(model, href)
    if (onlyChanges && seen.get(href) === object) return []
    if (!object.startsWith('<err')) seen.set(href, object)
    return [object]
  })
  return `<obj is="obix:WatchOut"><list name="values" of="obix:obj">${values.join('')}</list></obj>`
}

function watchOperation(model: Model, id: string, operation: string, body: string): string {
  const seen = model.watches.get(id)
  if (!seen) return err('obix:BadUriErr', 'no such watch')
  if (operation === 'add') return watchOut(model, seen, hrefsIn(body), false)
  if (operation === 'pollChanges') return watchOut(model, seen, model.isMute ? [] : seen.keys(), true)
  if (operation === 'pollRefresh') return watchOut(model, seen, [...seen.keys()], false)
  return err('obix:UnsupportedErr', operation)
}

function answerTo(model: Model, { method, path, body }: SeenRequest): string {
  const { offers, watches, url } = model
  const watch = /^\/obix\/watch(\d+)\/(\w+)\/?$/.exec(path)
  if (method === 'POST' && watch) return watchOperation(model, watch[1] as string, watch[2] as string, body)
  switch (`${method} ${path.replace(/\/$/, '')}`) {
    case 'GET /obix':
      return `<obj href="${url()}" is="obix:Lobby">
        <ref name="about" is="obix:About" href="about/"/>
        ${offers.batch ? '<op name="batch" in="obix:BatchIn" out="obix:BatchOut" href="batch/"/>' : ''}
        ${offers.watchService ? '<ref name="watchService" is="obix:WatchService" href="watchService/"/>' : ''}
      </obj>`
    case 'POST /obix/batch':
      return `<list is="obix:BatchOut" of="obix:obj">${hrefsIn(body)
        .map((href) => objectAt(model, href))
        .join('')}</list>`
    case 'GET /obix/watchService':
      return '<obj is="obix:WatchService" href="/obix/watchService/"><op name="make" href="make/"/></obj>'
    case 'POST /obix/watchService/make':
      model.lastWatch += 1
      watches.set(String(model.lastWatch), new Map())
      return `<obj href="${url()}watch${model.lastWatch}/" is="obix:Watch"><reltime name="lease" val="PT1M"/>
        <op name="add"/><op name="remove"/><op name="pollChanges" href="pollChanges/"/><op name="pollRefresh"/>
        <op name="delete"/></obj>`
  }
  if (method === 'GET') return objectAt(model, path)
  if (method === 'PUT') return write(model, path, body)
  const operation = /^(.*\/)writePoint$/.exec(path)
  if (method === 'POST' && operation) return write(model, operation[1] as string, body)
  return err('obix:UnsupportedErr', `${method} ${path}`)
}

const hrefsIn = (body: string) => [...body.matchAll(/<uri[^>]* val="([^"]*)"/g)].map((found) => found[1] as string)

const decode = (href: string) => href.replaceAll('&#38;', '&')

export const err = (contract: string, display: string, attributes = '') =>
  `<err is="${contract}" display="${display}"${attributes}/>`

/** Answers requests that match, for example `GET /obix/`, with `body`, and others like the server. */
export const answering =
  (matches: RegExp, body: string, status = 200): Trick =>
  ({ method, path }, response, obey) =>
    matches.test(`${method} ${path}`) ? response.writeHead(status).end(body) : obey()
