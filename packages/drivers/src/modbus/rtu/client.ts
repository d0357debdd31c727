import type { Duplex } from 'node:stream'
import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../../driver.ts'
import type { Client, NoAnswer } from '../client.ts'
import { isIdentify, isWrite, type ReadRequest, type Reply, type Request, replySize } from '../frame.ts'
import { encodeRequest, findAnswer, frameSize, readsIn } from './frame.ts'
import type { LateAnswers } from './late-answers.ts'

/** A stream to a line on which frames of RTU are sent. */
export interface Line {
  name: string
  stream: Duplex
  /** Outlives the link: a gateway may send a late answer over the next connection. */
  late: LateAnswers
  /** How long one character takes on the line; 0 where a gateway drives it. */
  characterMs: number
  /** How long the line must be quiet before a request. */
  silenceMs: number
  /** Gives the link up after so many exchanges in a row in which nothing arrived. */
  maxUnanswered: number
  /** What a link that ended without an error did. */
  lossText: string
  close(): void
  onIdleLoss(): void
  /** Says what an error of the stream means. */
  reasonOf(error: Error): string
}

interface Pending {
  unitId: number
  request: Request
  listener: DriverListener | undefined
  settle(answer: Reply | NoAnswer): void
}

/** More than any answer, with late ones before it. */
const MAX_RECEIVED = 1024
/** Longer than any frame. */
const MAX_STRAY = 256
/** A request that the line did not take would be followed by more of them. */
const MAX_UNSENT = 1024
/** How long data without a request counts as a sign of another master. */
const STRAY_MS = 60_000

const NOTHING: Buffer = Buffer.alloc(0)

/**
 * Speaks RTU. A missing or damaged answer leaves the link open: `LateAnswers` keeps an answer that comes too late from
 * reaching another request.
 */
export function rtuClientOn(line: Line, clock: Clock): Client {
  const { name, stream, late, characterMs, silenceMs } = line
  let pending: Pending | undefined
  let received = NOTHING
  let stray = NOTHING
  let lost: string | undefined
  let unanswered = 0
  let quietAt = Number.NEGATIVE_INFINITY
  let strayAt = Number.NEGATIVE_INFINITY
  let isGivenUp = false

  function lose(reason: string, timedOut = false) {
    if (lost !== undefined) return
    lost = reason
    line.close()
    if (!pending) return line.onIdleLoss()
    late.missed(pending.unitId, pending.request)
    pending.settle({ reason: new Failure('offline', reason), timedOut })
  }

  /** Ends the exchange without an answer, which may still come unless it `hasCome`. */
  function miss(reason: string, { hasCome = false, timedOut = false } = {}) {
    if (!pending) return
    if (!hasCome) late.missed(pending.unitId, pending.request)
    expectAnswersIn(received)
    const isStray = clock.monotonic() - strayAt < STRAY_MS
    const hint = isStray ? '; data that nothing asked for also arrives: check that the line has no second master' : ''
    unanswered = received.length > 0 ? 0 : unanswered + 1
    if (unanswered >= line.maxUnanswered) lose(`${reason}${hint}`, timedOut)
    else pending.settle({ reason: new Failure('offline', `${reason}${hint}`), timedOut })
  }

  function receive(chunk: Buffer) {
    quietAt = clock.monotonic() + silenceMs
    if (!pending) return overhear(chunk)
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const { unitId, request, listener } = pending
    if (received.length > MAX_RECEIVED) return miss(`${name} sent more data than an answer can have`)
    const answer = findAnswer(received, unitId, request, (bytes, start) => late.endOf(bytes, start))
    if (answer === 'incomplete') return
    if (answer === 'damaged') return miss(`unit ${unitId} at ${name} sent a damaged answer`, { hasCome: true })
    if (answer === 'mixed') {
      strayAt = clock.monotonic()
      // It may be the answer to another master, so that ours is still to come.
      return miss(`unit ${unitId} at ${name} sent an answer among other data`)
    }
    const { reply } = answer
    const isException = 'exception' in reply
    if (late.isAmbiguous(unitId, request, isException)) {
      // Nothing depends on which write a confirmation belongs to: only a reading proves a write.
      if (isException || !isWrite(request)) {
        late.answeredOneOf(unitId, request)
        const reason = `unit ${unitId} at ${name} sent an answer that may belong to an earlier request`
        return miss(reason, { hasCome: true })
      }
    } else {
      late.settled(unitId)
    }
    unanswered = 0
    if (isException) listener?.exception()
    pending.settle(reply)
  }

  /** Looks at data that nothing asked for: a late answer, or the talk of another master. */
  function overhear(chunk: Buffer) {
    if (late.endOf(chunk, 0) !== undefined) return
    strayAt = clock.monotonic()
    stray = Buffer.concat([stray, chunk]).subarray(-MAX_STRAY)
    expectAnswersIn(stray)
  }

  /** Answers to another master could pass for answers to us. */
  function expectAnswersIn(bytes: Buffer) {
    for (const { unitId, request } of readsIn(bytes)) late.missed(unitId, request)
  }

  stream.on('data', receive)
  stream.on('error', (error) => lose(`${name} ${line.reasonOf(error)}`))
  stream.on('end', () => lose(`${name} ${line.lossText}`))
  stream.on('close', () => lose(`${name} ${line.lossText}`))

  function send(unitId: number, request: Request, timeoutMs: number, listener: DriverListener | undefined) {
    return new Promise<Reply | NoAnswer>((resolve, reject) => {
      const offline = (reason: string) => resolve({ reason: new Failure('offline', reason), timedOut: false })
      if (lost !== undefined) return offline(lost)
      if (pending) return reject(new Error('one exchange at a time'))
      if (stream.writableLength > MAX_UNSENT) return offline(`${name} does not accept data`)
      const bytes = encodeRequest(unitId, request)
      received = NOTHING
      stray = NOTHING
      stream.write(bytes)
      // The timeout is for the equipment, not for the line.
      const onLineMs = (bytes.length + frameSize(replySize(request))) * characterMs
      const cancelTimeout = clock.after(timeoutMs + onLineMs, () => {
        listener?.timedOut()
        const isNothing = received.length === 0
        const what = isNothing ? 'did not answer' : 'sent no valid answer'
        miss(`unit ${unitId} at ${name} ${what} within ${Math.round(timeoutMs)} ms`, { timedOut: isNothing })
      })
      pending = {
        unitId,
        request,
        listener,
        settle(answer) {
          pending = undefined
          cancelTimeout()
          resolve(answer)
        },
      }
    })
  }

  /** Sends a read after one that proves that no answer to an earlier request is on its way. */
  async function sendAfterProof(
    proof: ReadRequest,
    ...[unitId, request, timeoutMs, listener]: Parameters<typeof send>
  ): Promise<Reply | NoAnswer> {
    const answer = await send(unitId, proof, timeoutMs, listener)
    if ('reason' in answer) return answer
    const pauseMs = quietAt - clock.monotonic()
    if (pauseMs > 0) await sleep(clock, pauseMs)
    if (isGivenUp) return { reason: new Failure('offline', `${name}: the request was given up`), timedOut: true }
    return send(unitId, request, timeoutMs, listener)
  }

  return {
    connectedAt: clock.monotonic(),
    isUp: () => lost === undefined,
    quietAt: () => quietAt,
    exchange(unitId, request, timeoutMs, listener) {
      isGivenUp = false
      const isRead = !isWrite(request) && !isIdentify(request)
      const proof = isRead && late.isAmbiguous(unitId, request) ? late.distinct(unitId, request) : undefined
      if (proof) return sendAfterProof(proof, unitId, request, timeoutMs, listener)
      return send(unitId, request, timeoutMs, listener)
    },
    giveUp(reason) {
      isGivenUp = true
      miss(reason, { timedOut: true })
    },
    drop: lose,
  }
}
