import { isIP, connect as openTcp, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as openTls } from 'node:tls'
import { type Clock, every } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { ErrorWithReasonCode, type IClientOptions, MqttClient } from 'mqtt'
import type { DriverListener, ProtocolDeps } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { readCa } from '../read-ca.ts'
import type { Command, MqttSettings } from './config.ts'
import { createPayloadLimit } from './payload-limit.ts'

/** One connection to the broker, from its opening to its loss. The caller decides when to open another. */
export interface Link {
  /** Aborts, with a `Failure` as the reason, when either side ends the link. */
  readonly lost: AbortSignal
  /** The topics whose subscription the broker refused. */
  readonly refused: readonly string[]
  /** Resolves when the broker has the command, as far as the QoS tells. Rejects with `lost.reason` otherwise. */
  publish(about: Pick<Command, 'topic' | 'qos' | 'retain'>, payload: string): Promise<void>
  end(): void
}

export interface LinkOptions extends ProtocolDeps {
  settings: MqttSettings
  clientId: string
  topics: readonly string[]
  /** Cancels the opening. */
  signal: AbortSignal
  listener: DriverListener | undefined
  onMessage(topic: string, payload: Uint8Array, retained: boolean): void
}

/** Resolves when the broker has confirmed the subscriptions; rejects with a `Failure` and a one-line reason. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { settings, clock, signal, topics, listener } = options
  if (signal.aborted) throw new Failure('offline', CANCELLED)
  const socket = await openSocket(options)
  const client = new MqttClient(() => withPayloadLimit(socket), clientOptions(options))
  const lost = new AbortController()

  function lose(reason: string): void {
    if (lost.signal.aborted) return
    lost.abort(new Failure('offline', `the broker at ${addressOf(settings)} ${reason}`))
    client.end(true)
  }

  /** Runs `start` until it calls `done`. Rejects with `lost.reason` if the link is lost. A timeout drops the link. */
  function overTheLink<Result>(what: string, start: (done: (result: Result) => void) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        cancel()
        reject(lost.signal.reason)
      }
      const cancel = clock.after(settings.timeoutMs, () => {
        listener?.timedOut()
        lose(`did not ${what} within ${settings.timeoutMs} ms`)
      })
      if (lost.signal.aborted) return giveUp()
      lost.signal.addEventListener('abort', giveUp, { once: true })
      start((result) => {
        cancel()
        lost.signal.removeEventListener('abort', giveUp)
        resolve(result)
      })
    })
  }

  client.on('error', (error) => {
    if (lost.signal.aborted) return
    if (error instanceof ErrorWithReasonCode) listener?.exception()
    if (error.message === KEEP_ALIVE_ENDED) listener?.timedOut()
    lose(nameProblem(error) ?? `cannot be used: ${reasonOf(error)}`)
  })
  client.on('close', () => lose('ended the connection'))
  client.on('message', (topic, payload, { retain }) => options.onMessage(topic, payload, retain))
  const cancel = () => lose(`is no longer needed: ${CANCELLED}`)
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })

  try {
    const refused = await overTheLink<readonly string[]>('accept the connection', (done) => {
      client.once('connect', () => {
        if (topics.length === 0) return done([])
        client.subscribe([...topics], { qos: 1 }, (error, _subscriptions, answer) => {
          if (!error) return done([])
          if (!answer) return lose(`refused the subscriptions: ${reasonOf(error)}`)
          const refused = topics.filter((_, index) => isRefusal(answer.granted[index]))
          for (const _ of refused) listener?.exception()
          done(refused)
        })
      })
    })
    return { lost: lost.signal, refused, publish, end: () => lose('is no longer needed: the connection was closed') }
  } finally {
    signal.removeEventListener('abort', cancel)
  }

  function publish({ topic, qos, retain }: Pick<Command, 'topic' | 'qos' | 'retain'>, payload: string): Promise<void> {
    return overTheLink('acknowledge a command', (done) => {
      client.publish(topic, payload, { qos, retain }, (error) => {
        if (error) lose(`did not accept a command: ${reasonOf(error)}`)
        else done()
      })
    })
  }
}

const CANCELLED = 'opening the connection was cancelled'

/** The client's error message when the broker does not answer a ping. */
const KEEP_ALIVE_ENDED = 'Keepalive timeout'

const isRefusal = (granted: unknown) => typeof granted !== 'number' || granted >= 0x80

// The longest possible timer: our own clock limits the time of opening.
const MAX_TIMER_MS = 2 ** 31 - 1

function clientOptions({ settings, clientId, clock }: LinkOptions): IClientOptions {
  const { username, password, keepAliveSeconds } = settings
  return {
    clientId,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    connectTimeout: MAX_TIMER_MS,
    keepalive: keepAliveSeconds,
    timerVariant: timersOf(clock),
  }
}

function timersOf(clock: Clock): Exclude<IClientOptions['timerVariant'], string | undefined> {
  const running = new Map<number, () => void>()
  let last = 0
  return {
    set(action, ms = 0) {
      last += 1
      running.set(
        last,
        every(clock, ms, () => action()),
      )
      return last
    },
    clear(id) {
      running.get(id)?.()
      running.delete(id)
    },
  }
}

async function openSocket({ settings: { host, port, tls, ca }, lookup }: LinkOptions): Promise<Socket> {
  const where = { host, port, ...(lookup && { lookup }) }
  const socket = tls
    ? openTls({
        ...where,
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca !== undefined && { ca: await readCa(ca) }),
      })
    : openTcp(where)
  return socket.setNoDelay(true)
}

/** Wraps the socket, and truncates payloads that are too long. */
function withPayloadLimit(socket: Socket): Duplex {
  const limit = createPayloadLimit()
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    // Send the parts of a packet together.
    writev: (chunks, done) => void socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const part of limit(chunk)) if (!stream.push(part)) socket.pause()
    } catch (error) {
      stream.destroy(Object.assign(error as Error, { code: 'EPROTO' }))
    }
  })
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  return stream
}

export const addressOf = ({ host, port }: MqttSettings) => excerpt(`${isIP(host) === 6 ? `[${host}]` : host}:${port}`)

function nameProblem({ code }: Error & { code?: unknown }): string | undefined {
  if (code === 'ENOTFOUND') return 'is an unknown host name'
  return code === 'EAI_AGAIN' ? 'is a host name that could not be resolved' : undefined
}

/** Returns the reason of an error. If a name has several addresses, the error has a code but no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown }
  return excerpt(message || String(code ?? error))
}
