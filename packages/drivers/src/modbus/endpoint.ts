import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { type Address, addressText, type Client, type ClientDeps, type NoAnswer } from './client.ts'
import { exceptionText, isWrite, type ReadRequest, type Reply, type Request, type WriteRequest } from './frame.ts'
import { type Patience, ReadPolicy, type Unanswered } from './read-policy.ts'
import { RequestQueue } from './request-queue.ts'
import { SharedSocket } from './shared-socket.ts'
import type { SessionOptions, UnitSession, WriteRules } from './unit-session.ts'
import { type WriteAttempt, WritePolicy } from './write-policy.ts'

interface Waiting {
  request: Request
  patience: Patience
  /** True if the request is sent even though the unit is silent. */
  isProbe: boolean
  rules: WriteRules
  resolve(answer: Reply | Unanswered): void
  reject(reason: unknown): void
}

/** The exceptions with which a gateway reports that it cannot reach the unit. */
const GATEWAY_EXCEPTIONS: readonly number[] = [10, 11]

/**
 * The socket to one host and port, shared by all connections of the process.
 *
 * Sends one request at a time, in the order of `RequestQueue`. Reads never delay a write by more than the request in
 * progress. Reads of a silent unit are refused until the next probe; `ReadPolicy` and `WritePolicy` decide when to retry.
 */
export class Endpoint {
  readonly #name: string
  readonly #clock: Clock
  readonly #unused: () => void
  readonly #queue = new RequestQueue<SessionOptions, Waiting>()
  readonly #asking = new ReadPolicy()
  readonly #writing = new WritePolicy()
  readonly #socket: SharedSocket
  #lastExchangeAt = Number.NEGATIVE_INFINITY
  #current: { user: SessionOptions; item: Waiting } | undefined

  /** @param unused called when the last user has left and the socket is closed */
  constructor(address: Address, deps: ClientDeps, unused: () => void) {
    this.#name = addressText(address)
    this.#clock = deps.clock
    this.#unused = unused
    this.#socket = new SharedSocket(address, deps, {
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
        await this.#socket.open(timeoutMs, listener)
        if (!this.#queue.has(user)) throw closed()
      },
      read: (request, { patience, urgent, isProbe }) =>
        this.#enqueue(request, { patience, isProbe, rules: NO_RULES }, (item) =>
          this.#queue.add(user, isProbe ? 'probe' : urgent ? 'urgent' : 'poll', item),
        ),
      write: async (request, rules) => {
        const answer = await this.#enqueue(request, { patience: 'full', isProbe: false, rules }, (item) =>
          rules.release
            ? this.#queue.addRelease(user, item, sameTarget(request))
            : this.#queue.add(user, 'setpoint', item),
        )
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
    how: Pick<Waiting, 'patience' | 'isProbe' | 'rules'>,
    add: (item: Waiting) => boolean,
  ): Promise<Reply | Unanswered> {
    return new Promise((resolve, reject) => {
      const { patience, isProbe, rules } = how
      if (!add({ request, patience, isProbe, rules, resolve, reject })) return reject(closed())
      void this.#serve()
    })
  }

  #leave(user: SessionOptions): void {
    if (!this.#queue.has(user)) return
    for (const waiting of this.#queue.leave(user)) waiting.reject(closed())
    // Its request in progress still blocks the other users, but the leaving user does not wait for it.
    if (this.#current?.user === user) this.#current.item.reject(closed())
    if (!this.#queue.isEmpty()) return
    this.#socket.close(closed().message)
    this.#unused()
  }

  async #serve(): Promise<void> {
    if (this.#current) return
    for (let next = this.#queue.next(); next; next = this.#queue.next()) {
      this.#current = next
      const { user, item } = next
      try {
        item.resolve(
          await (isWrite(item.request) ? this.#write(user, item, item.request) : this.#read(user, item, item.request)),
        )
      } catch (error) {
        item.reject(error)
      }
    }
    this.#current = undefined
  }

  async #read(user: SessionOptions, item: Waiting, request: ReadRequest): Promise<Reply | Unanswered> {
    const { unitId } = user
    const silence = item.isProbe ? undefined : this.#asking.silence(unitId)
    if (silence) throw silence
    const isDoubtful = !item.isProbe && this.#asking.isInDoubt(unitId)
    const answer = await this.#exchange(user, request, isDoubtful ? 'short' : item.patience)
    if ('unanswered' in answer) this.#asking.missedRead(unitId, answer, this.#clock.monotonic())
    return answer
  }

  async #write(user: SessionOptions, item: Waiting, request: WriteRequest): Promise<Reply | Unanswered> {
    const { unitId } = user
    const attempt: WriteAttempt = { unitId, target: targetOf(request), release: item.rules.release }
    const isSilent = this.#asking.silence(unitId) !== undefined
    const refusal = this.#writing.refusal(attempt, isSilent, this.#clock.monotonic())
    if (refusal) throw refusal
    const answer = await this.#exchange(
      user,
      request,
      this.#writing.patience(attempt, isSilent),
      item.rules.stillWanted,
    )
    if ('unanswered' in answer) {
      const costMs = answer.waitedMs + answer.reconnectMs
      this.#writing.missed(attempt, { reason: answer.unanswered, costMs, now: this.#clock.monotonic() })
    } else {
      this.#writing.answered(attempt)
    }
    return answer
  }

  async #exchange(
    user: SessionOptions,
    request: Request,
    patience: Patience,
    stillWanted?: () => boolean,
  ): Promise<Reply | Unanswered> {
    const { unitId, timing, listener } = user
    // A poll has many requests, so that an unneeded `await` for each would be expensive.
    const ready = this.#readyClient(timing.connectDelayMs, timing.interFrameDelayMs)
    const client = ready ?? (await this.#prepareClient(user))
    if (!this.#queue.has(user)) throw closed()
    if (stillWanted && !stillWanted()) throw new Failure('conflict', 'the value is no longer wanted')

    const askedAt = this.#clock.monotonic()
    const patienceMs = this.#asking.patienceMs(unitId, timing.timeoutMs, patience)
    const reply = await client.exchange(unitId, request, patienceMs, listener)
    const now = this.#clock.monotonic()
    this.#lastExchangeAt = now
    const failure = this.#failureIn(unitId, reply)
    if (failure) {
      const reconnectMs = client.isUp() ? 0 : this.#socket.connectMs() + timing.connectDelayMs
      return { ...failure, patience, waitedMs: now - askedAt, reconnectMs }
    }
    this.#socket.answered()
    this.#writing.unitAnswered(unitId)
    const returned = this.#asking.answered(unitId, { tookMs: now - askedAt, isRead: !isWrite(request), now })
    if (returned) this.#writing.unitReturned(unitId)
    return reply as Reply
  }

  /** Returns the reason why a reply is not the unit's answer; `undefined` if it is. */
  #failureIn(unitId: number, reply: Reply | NoAnswer): Pick<Unanswered, 'unanswered' | 'cause'> | undefined {
    if ('reason' in reply) return { unanswered: reply.reason, cause: reply.timedOut ? 'timeout' : 'broken' }
    if ('data' in reply || !GATEWAY_EXCEPTIONS.includes(reply.exception)) return undefined
    const message = `unit ${unitId} at ${this.#name}: ${exceptionText(reply.exception)}`
    return { unanswered: new Failure('offline', message), cause: 'gateway' }
  }

  /** Returns the client if a request may be sent right away. */
  #readyClient(connectDelayMs: number, interFrameDelayMs: number): Client | undefined {
    const client = this.#socket.current()
    if (!client) return undefined
    const askAt = Math.max(client.connectedAt + connectDelayMs, this.#lastExchangeAt + interFrameDelayMs)
    return askAt <= this.#clock.monotonic() ? client : undefined
  }

  /** Connects if necessary, and waits for the pauses that the equipment needs. */
  async #prepareClient({ timing, listener }: SessionOptions): Promise<Client> {
    for (let attempt = 1; ; attempt += 1) {
      const client = this.#socket.current() ?? (await this.#socket.reconnect(timing.timeoutMs, listener))
      const askAt = Math.max(
        client.connectedAt + timing.connectDelayMs,
        this.#lastExchangeAt + timing.interFrameDelayMs,
      )
      const pauseMs = askAt - this.#clock.monotonic()
      if (pauseMs > 0) await sleep(this.#clock, pauseMs, this.#socket.closing)
      // Equipment may close a new socket during the pause. Nothing was sent yet, so that one more attempt is safe.
      if (client.isUp() || this.#socket.closing.aborted) return client
      if (attempt === 2) throw new Failure('offline', `${this.#name} closed the connection`)
    }
  }
}

const NO_RULES: WriteRules = { release: false }

const targetOf = ({ functionCode, address }: WriteRequest) =>
  `${functionCode === 5 || functionCode === 15 ? 'coil' : 'holding'} ${address}`

const sameTarget = (release: WriteRequest) => (waiting: Waiting) =>
  isWrite(waiting.request) && targetOf(waiting.request) === targetOf(release)

const closed = () => new Failure('offline', 'the connection was closed')
