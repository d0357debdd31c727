import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import {
  type Apdu,
  type ApduLength,
  encodeAbort,
  encodeDone,
  encodeRequest,
  encodeSegmentAck,
  MAX_SEGMENTS,
  readApdu,
  SERVICE,
  UNCONFIRMED,
} from './apdu.ts'
import { describeAbort, describeError, describeReject } from './names.ts'
import { type Peer, peerKey } from './network.ts'
import { type Notification, readErrorData, readNotification } from './services.ts'

export interface Request {
  service: number
  data: Uint8Array
  timeoutMs: number
  /** The longest message that the answer may come in. */
  maxApdu: ApduLength
}

/** Why a device did not do what it was asked. */
export interface Refusal {
  kind: 'error' | 'reject' | 'abort'
  /** The class and code of an error; the reason of a reject or abort. */
  errorClass: number
  code: number
  text: string
}

export type Answer = { data: Uint8Array } | { refused: Refusal }

/** The device did not answer a request: it may or may not have carried it out. */
export class Unanswered extends Failure {}

interface Transaction {
  service: number
  maxApdu: ApduLength
  segments: Uint8Array[]
  /** Segments since the last acknowledgement. */
  inWindow: number
  timeoutMs: number
  cancelTimeout: () => void
  timedOut: () => void
  settle: (outcome: Answer | Failure) => void
}

interface ClientDeps {
  clock: Clock
  /** Sends a message to the peer. */
  send(apdu: Uint8Array, expectsReply: boolean): void
}

const INVOKE_IDS = 256
/** After a timeout, the answer may still arrive: the next request with this id must not take it. */
const REST_MS = 60_000
const ABORT_OTHER = 0
const SEGMENTS_TOO_MANY: Refusal = { kind: 'abort', errorClass: 0, code: 1, text: 'the answer has too many segments' }

/**
 * Exchanges requests with one device: answers are matched by where they come from, invoke id and service. It never sends
 * a request twice.
 */
export class Client {
  readonly name: string
  readonly #deps: ClientDeps
  /** By invoke id: at most 256. */
  readonly #transactions = new Map<number, Transaction>()
  readonly #restingUntil = new Map<number, number>()
  readonly #subscribers = new Map<number, (notification: Notification) => void>()
  #lastId = -1

  constructor(peer: Peer, deps: ClientDeps) {
    this.name = peerKey(peer)
    this.#deps = deps
  }

  /** Rejects with `Unanswered` if no answer came in time. */
  request(request: Request, signal: AbortSignal, listener?: DriverListener): Promise<Answer> {
    const { service, data, timeoutMs, maxApdu } = request
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(closed())
      const id = this.#freeId()
      if (id === undefined) return reject(new Unanswered('offline', `${this.name} has too many requests to answer`))
      const abort = () => settle(closed())
      const settle = (outcome: Answer | Failure) => {
        transaction.cancelTimeout()
        signal.removeEventListener('abort', abort)
        this.#transactions.delete(id)
        if (outcome instanceof Failure) {
          this.#restingUntil.set(id, this.#deps.clock.monotonic() + REST_MS)
          reject(outcome)
        } else {
          if ('refused' in outcome) listener?.exception()
          resolve(outcome)
        }
      }
      const timedOut = () => {
        listener?.timedOut()
        settle(new Unanswered('offline', `${this.name} did not answer within ${timeoutMs} ms`))
      }
      const cancelTimeout = this.#deps.clock.after(timeoutMs, timedOut)
      const transaction = { service, maxApdu, timeoutMs, cancelTimeout, timedOut, settle, segments: [], inWindow: 0 }
      this.#transactions.set(id, transaction)
      signal.addEventListener('abort', abort)
      this.#deps.send(encodeRequest(id, service, data, maxApdu), true)
    })
  }

  /** Calls `listener` for notifications with this process id, until the returned function is called. */
  subscribe(processId: number, listener: (notification: Notification) => void): () => void {
    this.#subscribers.set(processId, listener)
    return () => this.#subscribers.delete(processId)
  }

  /** Rejects what waits for an answer that cannot come. */
  fail(reason: string): void {
    for (const { settle } of [...this.#transactions.values()]) settle(new Unanswered('offline', reason))
  }

  /** Takes a message of this device. Throws `Malformed`. */
  receive(bytes: Uint8Array) {
    const apdu = readApdu(bytes)
    if (apdu.kind === 'request') return this.#receiveRequest(apdu)
    if (apdu.kind === 'unconfirmed') {
      if (apdu.service === UNCONFIRMED.covNotification) this.#notify(apdu.data)
      return
    }
    const transaction = this.#transactions.get(apdu.invokeId)
    if (!transaction || ('service' in apdu && apdu.service !== transaction.service)) return
    const refuse = (errorClass: number, code: number, text: string) =>
      transaction.settle({ refused: { kind: apdu.kind as Refusal['kind'], errorClass, code, text } })
    switch (apdu.kind) {
      case 'done':
        return transaction.settle({ data: new Uint8Array() })
      case 'result':
        if (apdu.segment) return this.#receiveSegment(transaction, apdu)
        return transaction.settle({ data: apdu.data })
      case 'error': {
        const { errorClass, code } = readErrorData(apdu.data)
        return refuse(errorClass, code, describeError({ errorClass, code }))
      }
      case 'reject':
        return refuse(0, apdu.reason, describeReject(apdu.reason))
      case 'abort':
        return refuse(0, apdu.reason, describeAbort(apdu.reason))
    }
  }

  #receiveSegment(transaction: Transaction, apdu: Extract<Apdu, { kind: 'result' }>) {
    const { invokeId, segment, data } = apdu
    if (!segment) return
    const { segments } = transaction
    const acknowledge = (isNegative: boolean) => {
      transaction.inWindow = 0
      const last = (segments.length - 1) & 0xff
      this.#deps.send(encodeSegmentAck(invokeId, isNegative, last, segment.windowSize), false)
    }
    if (segment.sequence !== (segments.length & 0xff)) return acknowledge(true)
    if (segments.length === MAX_SEGMENTS) {
      this.#deps.send(encodeAbort(invokeId, ABORT_OTHER), false)
      return transaction.settle({ refused: SEGMENTS_TOO_MANY })
    }
    // A segment is part of a buffer that the next datagram may reuse.
    segments.push(Uint8Array.from(data))
    transaction.inWindow += 1
    if (segment.isLast || transaction.inWindow >= segment.windowSize) acknowledge(false)
    if (segment.isLast) return transaction.settle({ data: Buffer.concat(segments) })
    transaction.cancelTimeout()
    transaction.cancelTimeout = this.#deps.clock.after(transaction.timeoutMs, transaction.timedOut)
  }

  /** A device asks us for nothing but to take a notification. */
  #receiveRequest({ invokeId, service, data }: Extract<Apdu, { kind: 'request' }>): void {
    const isKnown = service === SERVICE.confirmedCovNotification && this.#notify(data)
    this.#deps.send(isKnown ? encodeDone(invokeId, service) : unknownSubscription(invokeId, service), false)
  }

  #notify(data: Uint8Array): boolean {
    const notification = readNotification(data)
    const listener = this.#subscribers.get(notification.processId)
    listener?.(notification)
    return listener !== undefined
  }

  /** Takes ids in turn, so that one is used again as late as possible. */
  #freeId(): number | undefined {
    const now = this.#deps.clock.monotonic()
    for (let tried = 0; tried < INVOKE_IDS; tried += 1) {
      this.#lastId = (this.#lastId + 1) % INVOKE_IDS
      const isResting = (this.#restingUntil.get(this.#lastId) ?? 0) > now
      if (!isResting && !this.#transactions.has(this.#lastId)) return this.#lastId
    }
    return undefined
  }
}

/** An error of class services (5) with the code unknown-subscription (79): a device then forgets the subscription. */
const unknownSubscription = (invokeId: number, service: number) =>
  Uint8Array.of(0x50, invokeId, service, 0x91, 5, 0x91, 79)

const closed = () => new Failure('offline', 'the connection was closed')
