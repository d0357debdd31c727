import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Client, Transport } from './client.ts'
import { CurrentRequest, GAVE_WAY, MAX_DELAY_MS, type Waiting } from './current-request.ts'
import { isWrite, type Question, type Reply, type Request, type WriteRequest } from './frame.ts'
import { type Patience, ReadPolicy, type Unanswered } from './read-policy.ts'
import { RequestQueue } from './request-queue.ts'
import { SharedLink } from './shared-link.ts'
import type { SessionOptions, UnitSession, WriteRules } from './unit-session.ts'
import { type WriteAttempt, WritePolicy } from './write-policy.ts'

/**
 * The link to one host and port or one serial line, shared by all connections of the process.
 *
 * Sends one request at a time, in the order of `RequestQueue`. A request that delays a more urgent one for too long
 * gives way: its client makes sure that no late answer reaches another request. A read that gave way is sent again
 * later, with the rest of its timeout. Reads of a silent unit are refused until the next probe; `ReadPolicy` and `WritePolicy` decide when to retry.
 */
export class Endpoint {
  readonly #name: string
  readonly #clock: Clock
  readonly #unused: () => void
  readonly #queue = new RequestQueue<SessionOptions, Waiting>()
  readonly #asking = new ReadPolicy()
  readonly #writing = new WritePolicy()
  readonly #link: SharedLink
  #lastExchangeAt = Number.NEGATIVE_INFINITY
  #current: CurrentRequest | undefined

  /** @param unused called when the last user has left and the link is closed */
  constructor(transport: Transport, clock: Clock, unused: () => void) {
    this.#name = transport.name
    this.#clock = clock
    this.#unused = unused
    this.#link = new SharedLink(transport, clock, {
      isBusy: () => this.#current !== undefined,
      listeners: () => [...this.#queue.users()].map((user) => user.listener),
    })
  }

  join(user: SessionOptions): UnitSession {
    const { unitId, timing, listener } = user
    const { timeoutMs } = timing
    const now = () => this.#clock.monotonic()
    const asking = this.#asking
    this.#queue.join(user)
    return {
      timeoutMs,
      now,
      connect: async () => {
        await this.#link.open(timeoutMs, listener)
        if (!this.#queue.has(user)) throw closed()
      },
      read: (request, { patience, urgent, isProbe }) => {
        const lane = isProbe ? 'probe' : urgent ? 'urgent' : 'poll'
        const answering = this.#enqueue(request, { lane, patience, isProbe, rules: NO_RULES }, (item) =>
          this.#queue.add(user, lane, item),
        )
        if (urgent) this.#limitDelay(timeoutMs)
        return answering
      },
      write: async (request, rules) => {
        const lane = rules.release ? 'release' : 'setpoint'
        const answering = this.#enqueue(request, { lane, patience: 'full', isProbe: false, rules }, (item) =>
          rules.release
            ? this.#queue.addRelease(user, item, sameTarget(request))
            : this.#queue.add(user, 'setpoint', item),
        )
        this.#limitDelay(timeoutMs)
        const answer = await answering
        if ('unanswered' in answer) throw answer.unanswered
        return answer
      },
      leave: () => this.#leave(user),
      answers: () => asking.answers(unitId),
      returns: () => asking.returns(unitId),
      silence: () => asking.silence(unitId),
      fellSilent: (reason) => asking.fellSilent(unitId, reason, now()),
      beginProbe: () => asking.beginProbe(unitId, now()),
      endProbe: (missed) => asking.endProbe(unitId, timeoutMs, now(), missed),
      retryPatience: (askedAt) => asking.retryPatience(unitId, askedAt, now()),
      retryMissed: (missed) => asking.retryMissed(unitId, missed, timeoutMs, now()),
    }
  }

  #enqueue(
    request: Request,
    how: Pick<Waiting, 'lane' | 'patience' | 'isProbe' | 'rules'>,
    add: (item: Waiting) => boolean,
  ): Promise<Reply | Unanswered> {
    return new Promise((resolve, reject) => {
      const { lane, patience, isProbe, rules } = how
      if (!add({ request, lane, patience, spentMs: 0, isProbe, rules, resolve, reject })) return reject(closed())
      void this.#serve()
    })
  }

  /** Lets the request in progress give way if it still delays a more urgent one after `delayMs` and its usual time. */
  #limitDelay(delayMs: number): void {
    const current = this.#current
    if (!current || !this.#queue.hasMoreUrgent(current.user, current.item.lane)) return
    const { unitId, timing } = current.user
    const usualMs = this.#asking.patienceMs(unitId, timing.timeoutMs, 'short')
    current.limit(this.#clock, Math.max(delayMs, usualMs), () => this.#link.current()?.giveUp(GAVE_WAY))
  }

  #leave(user: SessionOptions): void {
    if (!this.#queue.has(user)) return
    for (const waiting of this.#queue.leave(user)) waiting.reject(closed())
    // Its request in progress still blocks the other users, but the leaving user does not wait for it.
    if (this.#current?.user === user) this.#current.item.reject(closed())
    if (!this.#queue.isEmpty()) return
    this.#link.close(closed().message)
    this.#unused()
  }

  async #serve(): Promise<void> {
    if (this.#current) return
    for (let next = this.#queue.next(); next; next = this.#queue.next()) {
      const { user, item } = next
      const current = new CurrentRequest(user, item)
      this.#current = current
      this.#limitDelay(MAX_DELAY_MS)
      try {
        const answer = await (isWrite(item.request)
          ? this.#write(current, item.request)
          : this.#read(current, item.request))
        if (answer === GAVE_WAY) this.#queue.putBack(user, item.lane, item)
        else item.resolve(answer)
      } catch (error) {
        item.reject(error)
      }
      current.end()
    }
    this.#current = undefined
  }

  #read(current: CurrentRequest, request: Question): Promise<Reply | Unanswered | typeof GAVE_WAY> {
    const { user, item } = current
    const silence = item.isProbe ? undefined : this.#asking.silence(user.unitId)
    if (silence) throw silence
    const isDoubtful = !item.isProbe && this.#asking.isInDoubt(user.unitId)
    return this.#exchange(current, request, isDoubtful ? 'short' : item.patience)
  }

  async #write(current: CurrentRequest, request: WriteRequest): Promise<Reply | Unanswered | typeof GAVE_WAY> {
    const { user, item } = current
    const attempt: WriteAttempt = { unitId: user.unitId, target: targetOf(request), release: item.rules.release }
    const isSilent = this.#asking.silence(user.unitId) !== undefined
    const refusal = this.#writing.refusal(attempt, isSilent, this.#clock.monotonic())
    if (refusal) throw refusal
    const answer = await this.#writePrepared(current, request, this.#writing.patience(attempt, isSilent))
    if (answer === GAVE_WAY) return answer
    if ('unanswered' in answer) {
      const costMs = answer.waitedMs + answer.reconnectMs
      this.#writing.missed(attempt, { reason: answer.unanswered, costMs, now: this.#clock.monotonic() })
    } else {
      this.#writing.answered(attempt)
    }
    return answer
  }

  async #writePrepared(
    current: CurrentRequest,
    request: WriteRequest,
    patience: Patience,
  ): Promise<Reply | Unanswered | typeof GAVE_WAY> {
    const { prepare } = current.item.rules
    if (!prepare) return this.#exchange(current, request, patience)
    const answers: Reply[] = []
    for (const read of prepare.reads) {
      const answer = await this.#exchange(current, read, patience)
      if (answer === GAVE_WAY || 'unanswered' in answer) return answer
      answers.push(answer)
    }
    return this.#exchange(current, { ...request, payload: prepare.payload(answers) }, patience)
  }

  /** Returns `GAVE_WAY` if the request must be sent again: it was not sent, or it was a read that has time left. */
  async #exchange(
    current: CurrentRequest,
    request: Request,
    patience: Patience,
  ): Promise<Reply | Unanswered | typeof GAVE_WAY> {
    const { user, item } = current
    const { unitId, timing, listener } = user
    // A poll has many requests, so that an unneeded `await` for each would be expensive.
    const ready = this.#readyClient(timing.connectDelayMs, timing.interFrameDelayMs)
    const client = ready ?? (await this.#prepareClient(current))
    if (!this.#queue.has(user)) throw closed()
    if (current.gaveWay) return GAVE_WAY
    const { stillWanted } = item.rules
    if (stillWanted && !stillWanted()) throw new Failure('conflict', 'the value is no longer wanted')

    const askedAt = this.#clock.monotonic()
    const patienceMs = this.#asking.patienceMs(unitId, timing.timeoutMs, patience)
    current.isSent = true
    const reply = await client.exchange(unitId, request, Math.max(1, patienceMs - item.spentMs), listener)
    const now = this.#clock.monotonic()
    this.#lastExchangeAt = now
    if ('reason' in reply && current.gaveWay && !isWrite(request)) {
      item.spentMs += now - askedAt
      return GAVE_WAY
    }
    const failure = 'data' in reply ? undefined : current.failureIn(reply, { name: this.#name, patienceMs })
    if (failure) {
      const reconnectMs = client.isUp() ? 0 : this.#link.connectMs() + timing.connectDelayMs
      const missed = { ...failure, patience, waitedMs: now - askedAt, reconnectMs }
      if (!isWrite(request)) this.#asking.missedRead(unitId, missed, now)
      return missed
    }
    this.#link.answered()
    this.#writing.unitAnswered(unitId)
    const returned = this.#asking.answered(unitId, { tookMs: now - askedAt, isRead: !isWrite(request), now })
    if (returned) this.#writing.unitReturned(unitId)
    return reply as Reply
  }

  /** Returns the client if a request may be sent right away. */
  #readyClient(connectDelayMs: number, interFrameDelayMs: number): Client | undefined {
    const client = this.#link.current()
    if (!client) return undefined
    return this.#askAt(client, connectDelayMs, interFrameDelayMs) <= this.#clock.monotonic() ? client : undefined
  }

  #askAt(client: Client, connectDelayMs: number, interFrameDelayMs: number): number {
    return Math.max(client.connectedAt + connectDelayMs, this.#lastExchangeAt + interFrameDelayMs, client.quietAt())
  }

  /** Connects if necessary, and waits for the pauses that the equipment needs. */
  async #prepareClient(current: CurrentRequest): Promise<Client> {
    const { timeoutMs, connectDelayMs, interFrameDelayMs } = current.user.timing
    const { closing } = this.#link
    const giveUpAt = this.#clock.monotonic() + Math.max(timeoutMs, connectDelayMs + interFrameDelayMs)
    let lost = 0
    for (;;) {
      const client = this.#link.current() ?? (await this.#link.reconnect(timeoutMs, current.user.listener))
      const now = this.#clock.monotonic()
      await current.pause(this.#clock, this.#askAt(client, connectDelayMs, interFrameDelayMs) - now, closing)
      if (closing.aborted || current.gaveWay) return client
      if (client.isUp()) {
        // Data that arrived in the meantime makes the pause longer.
        if (client.quietAt() <= this.#clock.monotonic()) return client
        if (this.#clock.monotonic() > giveUpAt) throw new Failure('offline', `${this.#name} is never quiet`)
        continue
      }
      // Equipment may close a new link during the pause. Nothing was sent yet, so that one more attempt is safe.
      lost += 1
      if (lost === 2) throw new Failure('offline', `${this.#name} closed the connection`)
    }
  }
}

const NO_RULES: WriteRules = { release: false }

const targetOf = ({ functionCode, address }: WriteRequest) =>
  `${functionCode === 5 || functionCode === 15 ? 'coil' : 'holding'} ${address}`

const sameTarget = (release: WriteRequest) => (waiting: Waiting) =>
  isWrite(waiting.request) && targetOf(waiting.request) === targetOf(release)

const closed = () => new Failure('offline', 'the connection was closed')
