import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sleep, systemClock } from '@plantroom/base/clock'
import { noFaults, type VtnFaults } from './vtn-faults.ts'
import { createTable, type ObjectType, type Operation, type VtnObject } from './vtn-objects.ts'
import type { VtnDoubleOptions } from './vtn-options.ts'
import { Answer, type Asked, route, type VtnState } from './vtn-routes.ts'
import { checkEvent, checkProgram } from './vtn-schemas.ts'

/** A VTN on loopback with state: a second, strict reading of the standard. */
export interface VtnDouble extends Omit<VtnState, 'options'> {
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly faults: VtnFaults
  /** What its operator does; refuses what the description refuses. `events` takes everything. */
  addProgram(fields: Readonly<Record<string, unknown>>): VtnObject
  addEvent(fields: Readonly<Record<string, unknown>>): VtnObject
  changeEvent(id: string, fields: Readonly<Record<string, unknown>>): VtnObject
  /** Every request that arrived, oldest first. */
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    readonly body: unknown
    readonly status: number
  }[]
  /** Resolves when all webhooks that were caused so far have been called. */
  notified(): Promise<void>
  close(): Promise<void>
}

const MAX_BODY = 4 * 1024 * 1024

export async function startVtnDouble(options: VtnDoubleOptions): Promise<VtnDouble> {
  const { path = '/openadr3', now = () => systemClock.now() } = options
  const faults = noFaults()
  const requests: { method: string; url: string; body: unknown; status: number }[] = []
  const notifying = new Set<Promise<unknown>>()
  const changed = (type: ObjectType, operation: Operation, object: VtnObject) => {
    const notification = { objectType: type, operation, object }
    for (const call of webhooksOf(state, notification)) {
      const done = call.catch(() => undefined).finally(() => notifying.delete(done))
      notifying.add(done)
    }
    if (type === 'EVENT') {
      const topic = `programs/${String(object.programID)}/events/${operation.toLowerCase()}`
      options.publish?.(`vtn/${topic}`, notification)
    }
  }
  const table = (type: ObjectType) => createTable(type, now, changed)
  const state: VtnState = {
    options: { clientId: 'ven-client', clientSecret: 'ven-secret', patch: 1, ...options },
    programs: table('PROGRAM'),
    events: table('EVENT'),
    reports: table('REPORT'),
    vens: table('VEN'),
    resources: table('RESOURCE'),
    subscriptions: table('SUBSCRIPTION'),
    faults,
    tokens: new Map(),
    newToken: () => randomUUID(),
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    if (faults.delayMs > 0) await sleep(systemClock, faults.delayMs)
    const { method = 'GET', url = '/', headers } = request
    if (faults.isDown) return void request.socket.destroy()
    const address = new URL(url, 'http://vtn')
    const isOurs = address.pathname.startsWith(`${path}/`)
    const asked: Asked = {
      method,
      path: isOurs ? address.pathname.slice(path.length + 1) : '',
      query: address.searchParams,
      headers,
      body,
      contentType: headers['content-type'] ?? '',
    }
    const answer = isOurs ? answerTo(asked, state) : new Answer(404, problem(404, 'There is no such path'))
    requests.push({ method, url, body, status: answer.status })
    if (asked.method === 'POST' && asked.path === 'reports' && answer.status === 201 && faults.losesReportAnswers)
      return void request.socket.destroy()
    respond(response, asked, answer, faults, now())
    if (method === 'GET' && answer.status === 200 && Array.isArray(answer.body)) faults.betweenPages?.()
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { options: _options, ...tables } = state
  return {
    ...tables,
    baseUrl: `${origin}${path}`,
    tokenUrl: `${origin}${path}/auth/token`,
    addProgram: (fields) => state.programs.add(checkProgram(fields)),
    addEvent: (fields) => state.events.add(checkEvent(fields, options.version)),
    changeEvent(id, fields) {
      checkEvent({ ...state.events.get(id), ...fields }, options.version)
      return state.events.change(id, fields)
    },
    requests,
    async notified() {
      while (notifying.size > 0) await Promise.all(notifying)
    },
    close: () => closed(server),
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export const problem = (status: number, detail: string) => ({
  type: 'about:blank',
  title: `Error ${status}`,
  status,
  detail,
})

function answerTo(asked: Asked, state: VtnState): Answer {
  const { faults } = state
  if (faults.failures > 0) {
    faults.failures -= 1
    return new Answer(500, problem(500, 'A failure that the test asked for'))
  }
  if (faults.retryAfter !== undefined)
    return new Answer(429, problem(429, 'Too many requests'), { 'retry-after': faults.retryAfter })
  return route(asked, state)
}

function respond(response: ServerResponse, asked: Asked, answer: Answer, faults: VtnFaults, now: number): void {
  response.sendDate = false
  if (!faults.hasNoDate) response.setHeader('date', new Date(now + faults.clockAheadMs).toUTCString())
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  if (faults.answersHtml && !asked.path.startsWith('auth/')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
    return
  }
  if (answer.body === undefined) return void response.writeHead(answer.status).end()
  const body = JSON.stringify(faults.distort ? faults.distort(answer.body, asked.path) : answer.body)
  if (asked.method === 'GET' && answer.status === 200 && !faults.hasNoEtag) {
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
    response.setHeader('etag', etag)
    if (asked.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  }
  const type = answer.status >= 400 ? 'application/problem+json' : 'application/json'
  response.writeHead(answer.status, { 'content-type': type }).end(body)
}

/** Calls the webhooks of the subscriptions that a change concerns. */
function webhooksOf(
  state: VtnState,
  notification: { objectType: ObjectType; operation: Operation; object: VtnObject },
) {
  const { objectType, operation, object } = notification
  return state.subscriptions.list().flatMap(({ programID, objectOperations }) => {
    if (programID !== undefined && objectType === 'EVENT' && object.programID !== programID) return []
    const wanted = objectOperations as {
      objects: string[]
      operations: string[]
      callbackUrl: string
      bearerToken?: string
    }[]
    return wanted
      .filter(({ objects, operations }) => objects.includes(objectType) && operations.includes(operation))
      .map(({ callbackUrl, bearerToken }) =>
        fetch(callbackUrl, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(bearerToken && { authorization: `Bearer ${bearerToken}` }),
          },
          body: JSON.stringify(notification),
        }),
      )
  })
}
