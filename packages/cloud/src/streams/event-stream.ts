import type { ServerResponse } from 'node:http'
import { type Clock, every } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Proxies give up on a connection on which nothing moves. */
const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 200
/** Of one key or person: what one holds open must not keep others out. */
const MAX_STREAMS_EACH = 50

/** Server-sent events to one reader. It ends when its reader goes, when the server closes, or when it is told to. */
export interface EventStream {
  /**
   * Sends one event; `data` is one line. `false`: it was dropped, because the reader has not taken yet what came before
   * (nothing is gathered for it), or because the stream has ended.
   */
  send(event: string, data: string): boolean
  /** Ends it, after this last event when there is one: that one is never dropped. */
  end(event?: string, data?: string): void
  /** Runs once when the stream has ended, however it did; at once when it has ended already. */
  onClose(action: () => void): void
}

export interface EventStreams {
  /**
   * Answers a request with a stream. Throws `unavailable` when as many are open, in all or for this caller, as may be:
   * nothing is answered then.
   * `isOpen` is asked at every heartbeat: `false` ends the stream, and so does an answer that fails or does not come.
   */
  open(reply: FastifyReply, options?: { isOpen?: (() => Promise<boolean>) | undefined }): EventStream
}

/** One for all routes of a server, so that their streams are bounded together. */
export function createEventStreams(
  app: FastifyInstance,
  options: { clock: Clock; maxStreams?: number | undefined; maxStreamsEach?: number | undefined },
): EventStreams {
  const { clock, maxStreams = MAX_STREAMS, maxStreamsEach = MAX_STREAMS_EACH } = options
  /** Each with who reads it; `undefined`: the operator. */
  const open = new Map<EventStream, string | undefined>()
  let closing = false

  // The server waits for what is not answered; of what is, it ends the connection, read to the end or not.
  app.addHook('preClose', async () => {
    closing = true
    for (const stream of open.keys()) stream.end()
  })

  return {
    open(reply, { isOpen } = {}) {
      if (closing) throw new Failure('unavailable', 'the service is stopping: try again in a moment')
      if (open.size >= maxStreams) {
        throw new Failure('unavailable', `${maxStreams} streams are open, which is as many as there may be: try later`)
      }
      const { callerId } = reply.request
      const ofCaller = [...open.values()].filter((each) => each === callerId)
      if (callerId !== undefined && ofCaller.length >= maxStreamsEach) {
        throw new Failure(
          'unavailable',
          `you have ${maxStreamsEach} streams open, which is as many as you may: end one`,
        )
      }
      reply.hijack()
      const stream = openStream(reply.raw, clock, isOpen)
      open.set(stream, callerId)
      stream.onClose(() => open.delete(stream))
      return stream
    },
  }
}

function openStream(response: ServerResponse, clock: Clock, isOpen?: () => Promise<boolean>): EventStream {
  let stalled = false
  let asking = false

  const write = (text: string): boolean => {
    if (response.writableNeedDrain || response.writableEnded || response.destroyed) return false
    response.write(text)
    return true
  }
  const end = () => void response.end()

  function askWhetherOpen(): void {
    if (!isOpen) return
    if (asking) end()
    asking = true
    isOpen().then((stillOpen) => {
      asking = false
      if (!stillOpen) end()
    }, end)
  }

  // What is written after the end, or to a reader that has just gone, fails; without a listener it would end this process.
  response.on('error', () => {})
  response.on('drain', () => {
    stalled = false
  })
  const endHeartbeat = every(clock, HEARTBEAT_MS, () => {
    // It took nothing from one heartbeat to the next, or did not read the end: most likely it is gone and never said so.
    if (stalled || response.writableEnded) return void response.destroy()
    stalled = response.writableNeedDrain
    write(':\n\n')
    askWhetherOpen()
  })
  const onClose = (action: () => void) => {
    // A reader that went before the answer began has closed it long ago.
    if (response.destroyed) action()
    else response.once('close', action)
  }
  onClose(endHeartbeat)

  if (!response.destroyed) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects the answer would hand nothing on.
      'x-accel-buffering': 'no',
    })
    response.write(':\n\n')
  }
  return {
    send: (event, data) => write(eventText(event, data)),
    end(event, data) {
      if (response.writableEnded || response.destroyed) return
      if (event === undefined) return end()
      response.end(eventText(event, data ?? ''))
    },
    onClose,
  }
}

const eventText = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`
