import type { ServerResponse } from 'node:http'
import { type Clock, every } from '@plantroom/base/clock'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A reader takes 5 s of silence for a service that is gone. Proxies close idle connections, too. */
const BEAT_MS = 1_500
/** How many beats later a stream is checked: every 15 s. */
const CHECK_BEATS = 10
const MAX_STREAMS = 200
/** Per key or person, so that one caller cannot use up the streams of its organization. */
const MAX_STREAMS_EACH = 20
const RETRY_S = 15
/** When readers come back after this process has stopped. */
const SOONEST_RETRY_MS = 500
const RETRY_SPREAD_MS = 2_000

/** Server-sent events to one reader. Ends when the reader disconnects, the server closes, or `end` is called. */
export interface EventStream {
  /**
   * Sends one event; `data` is one line. Returns false when the event was dropped: the reader has not yet read the
   * previous one (events are not buffered), or the stream has ended.
   */
  send(event: string, data: string): boolean
  /** Ends the stream, optionally with a last event, which is never dropped. */
  end(event?: string, data?: string): void
  /** Runs once when the stream ends for any reason; immediately when it has already ended. */
  onClose(action: () => void): void
}

export interface EventStreams {
  /**
   * Answers a request with a stream. Throws, and answers nothing, when too many streams are open: `quota` when they are
   * the caller's or its organization's, `unavailable` when they are everybody's.
   * A stream without events has an event `alive` instead, every 1.5 s. Calls `isOpen` every 15 s; the stream ends when it
   * resolves with false, rejects or does not settle.
   */
  open(reply: FastifyReply, options?: { isOpen?: (() => Promise<boolean>) | undefined }): EventStream
  /** Calls `isOpen` of all streams of an organization now, because someone may have lost access; of all without one. */
  check(organizationId?: string): void
}

/** A stream as the server handles it. */
interface ServerStream extends EventStream {
  check(): void
  /** Ends the stream because this process stops, and says when to connect again, so that not all readers come at once. */
  leave(): void
}

/** The operator has no `callerId` and no limit of its own. */
interface StreamOwner {
  callerId: string | undefined
  organizationId: string | undefined
}

/** Create one for all routes of a server, so that they share the limits. */
export function createEventStreams(
  app: FastifyInstance,
  options: { clock: Clock; maxStreams?: number | undefined; maxStreamsEach?: number | undefined },
): EventStreams {
  const { clock, maxStreams = MAX_STREAMS, maxStreamsEach = MAX_STREAMS_EACH } = options
  // An organization makes as many keys as it likes, so that a limit for each key does not protect the others.
  const maxOfOrganization = Math.ceil(maxStreams / 2)
  /** The open streams with whom they are for. */
  const open = new Map<ServerStream, StreamOwner>()
  let closing = false

  function requireRoom({ callerId, organizationId }: StreamOwner): void {
    const count = (isCounted: (owner: StreamOwner) => boolean) => [...open.values()].filter(isCounted).length
    const refuse = (whose: string, limit: number) =>
      quotaReached(`${whose} limit of ${limit} open event streams is reached: close one, then try again`, RETRY_S)
    if (callerId !== undefined && count((owner) => owner.callerId === callerId) >= maxStreamsEach) {
      throw refuse('your', maxStreamsEach)
    }
    const isOfOrganization = (owner: StreamOwner) =>
      owner.callerId !== undefined && owner.organizationId === organizationId
    if (callerId !== undefined && count(isOfOrganization) >= maxOfOrganization) {
      throw refuse('the organization’s', maxOfOrganization)
    }
    if (open.size >= maxStreams) {
      const message = `the service’s limit of ${maxStreams} open event streams is reached: try again later`
      throw new Failure('unavailable', message, undefined, { retryAfterS: RETRY_S })
    }
  }

  // The server waits for unanswered requests. It closes answered connections whether or not the reader has finished.
  app.addHook('preClose', async () => {
    closing = true
    for (const stream of open.keys()) stream.leave()
  })

  return {
    open(reply, { isOpen } = {}) {
      if (closing) throw new Failure('unavailable', 'the service is shutting down: try again in a moment')
      const { callerId, params } = reply.request
      const owner: StreamOwner = { callerId, organizationId: (params as { orgId?: string }).orgId }
      requireRoom(owner)
      reply.hijack()
      const stream = openStream(reply.raw, clock, isOpen)
      open.set(stream, owner)
      stream.onClose(() => open.delete(stream))
      return stream
    },
    check(organizationId) {
      for (const [stream, owner] of open) {
        if (organizationId === undefined || owner.organizationId === organizationId) stream.check()
      }
    },
  }
}

function openStream(response: ServerResponse, clock: Clock, isOpen?: () => Promise<boolean>): ServerStream {
  let stalled = false
  let checking = false
  let isCheckWanted = false
  let beats = 0
  let isQuiet = true

  const write = (text: string): boolean => {
    if (response.writableNeedDrain || response.writableEnded || response.destroyed) return false
    response.write(text)
    isQuiet = false
    return true
  }
  const end = () => void response.end()

  function checkOpen(): void {
    if (!isOpen) return
    checking = true
    isOpen().then((stillOpen) => {
      checking = false
      if (!stillOpen) return end()
      if (!isCheckWanted) return
      isCheckWanted = false
      checkOpen()
    }, end)
  }

  // Writing to a reader that has just disconnected fails. Without a listener the error would end this process.
  response.on('error', () => {})
  response.on('drain', () => {
    stalled = false
  })
  const stopHeartbeat = every(clock, BEAT_MS, () => {
    beats += 1
    if (isQuiet) write(eventText('alive', '{}'))
    isQuiet = true
    if (beats % CHECK_BEATS !== 0) return
    // Nothing was read since the last check, or the end was not: the reader is probably gone.
    if (stalled || response.writableEnded) return void response.destroy()
    stalled = response.writableNeedDrain
    if (checking) end()
    checkOpen()
  })
  const onClose = (action: () => void) => {
    // A reader that disconnected before the answer began has already closed it.
    if (response.destroyed) action()
    else response.once('close', action)
  }
  onClose(stopHeartbeat)

  if (!response.destroyed) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Keeps proxies from buffering the answer.
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
    leave() {
      if (response.writableEnded || response.destroyed) return
      response.end(`retry: ${Math.round(SOONEST_RETRY_MS + Math.random() * RETRY_SPREAD_MS)}\n\n`)
    },
    check() {
      // One that is under way may have read what was true before.
      if (checking) isCheckWanted = true
      else checkOpen()
    },
    onClose,
  }
}

const eventText = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`
