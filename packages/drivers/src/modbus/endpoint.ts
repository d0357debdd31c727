import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import { Backoff } from './backoff.ts'
import { Breaker } from './breaker.ts'
import { type Address, type Client, type ClientDeps, connectClient } from './client.ts'
import { probeOf, type Reply, type Request } from './frame.ts'

export interface Timing {
  timeoutMs: number
  /** How long after the connection stands the equipment can take its first question. */
  connectDelayMs: number
  /** How long the equipment needs between an answer and the next question. */
  interFrameDelayMs: number
}

/** One user's place at an endpoint. */
export interface Seat {
  /** Makes sure that the socket stands, and that the unit is not known to be silent. */
  connect(unitId: number, timing: Timing): Promise<void>
  /**
   * Waits its turn, an urgent one ahead of those that are not. Rejects with a one-line reason when the link or the
   * unit is down; the next one tries anew.
   */
  request(unitId: number, request: Request, timing: Timing, urgent?: boolean): Promise<Reply>
  /** Gives the place back: what still waits is rejected, and with the last user the socket goes. */
  leave(): void
}

interface Waiting {
  unitId: number
  request: Request
  timing: Timing
  resolve(reply: Reply): void
  reject(reason: unknown): void
}

/** What one user has asked and was not answered yet, and whom to tell. */
interface Queue {
  listener: DriverListener | undefined
  urgent: Waiting[]
  patient: Waiting[]
}

// However much is written, the rest is read now and then: a value that is never read again would pass for a live one.
const MOST_URGENT_IN_A_ROW = 10

/** The path to a unit, or the unit behind its gateway, is dead: asking again would hold up the others. */
const GATEWAY_EXCEPTIONS: readonly number[] = [10, 11]

// What a new socket is taken to cost; equipment with room for one may be slow to notice that it has lost it.
const RECONNECT_MS = 50

/**
 * The one socket to a host and port, shared by all connections of the process that go there.
 *
 * Questions go out one at a time, the urgent ones first, the users in turn. A lost socket is made anew by the next
 * question. A unit that gave no proper answer is left alone for a while: what is asked of it meanwhile gets the same
 * outcome at once. Then one register is asked of it, and not waited for as long as its timeout allows: so a dead unit
 * costs the others little, and is found soon when it is back.
 */
export class Endpoint {
  readonly #address: Address
  readonly #deps: ClientDeps
  readonly #clock: Clock
  readonly #unused: () => void
  readonly #queues = new Map<Seat, Queue>()
  readonly #breaker = new Breaker()
  readonly #connecting = new Backoff<unknown>()
  readonly #closed = new AbortController()
  #client: Client | undefined
  #attempt: Promise<Client> | undefined
  #lastExchangeAt = Number.NEGATIVE_INFINITY
  #underWay: { seat: Seat; waiting: Waiting } | undefined
  #urgentInARow = 0
  /** Was anybody answered since the equipment was last looked for? */
  #answered = false

  /** @param unused called when the last user has left and the socket is gone */
  constructor(address: Address, deps: ClientDeps, unused: () => void) {
    this.#address = address
    this.#deps = deps
    this.#clock = deps.clock
    this.#unused = unused
  }

  join(listener?: DriverListener): Seat {
    const seat: Seat = {
      connect: async (unitId, timing) => {
        const outcome = this.#breaker.standing(unitId, this.#clock.monotonic())
        if (outcome instanceof Failure) throw outcome
        await this.#connect(timing.timeoutMs, listener)
      },
      request: (unitId, request, timing, urgent = false) =>
        new Promise((resolve, reject) => {
          const queue = this.#queues.get(seat)
          if (!queue) return reject(closed())
          queue[urgent ? 'urgent' : 'patient'].push({ unitId, request, timing, resolve, reject })
          void this.#serve()
        }),
      leave: () => this.#leave(seat),
    }
    this.#queues.set(seat, { listener, urgent: [], patient: [] })
    return seat
  }

  #leave(seat: Seat): void {
    const queue = this.#queues.get(seat)
    if (!queue) return
    this.#queues.delete(seat)
    for (const waiting of [...queue.urgent, ...queue.patient]) waiting.reject(closed())
    // The others wait for its answer, which nobody wants any more; its own user does not.
    if (this.#underWay?.seat === seat) this.#underWay.waiting.reject(closed())
    if (this.#queues.size > 0) return
    this.#closed.abort()
    this.#client?.drop(closed().message)
    this.#unused()
  }

  async #serve(): Promise<void> {
    if (this.#underWay) return
    for (let next = this.#next(); next; next = this.#next()) {
      this.#underWay = next
      const { seat, waiting } = next
      try {
        waiting.resolve(await this.#ask(seat, waiting))
      } catch (error) {
        waiting.reject(error)
      }
    }
    this.#underWay = undefined
  }

  #next(): { seat: Seat; waiting: Waiting } | undefined {
    const urgent = this.#urgentInARow < MOST_URGENT_IN_A_ROW ? this.#nextOf('urgent') : undefined
    this.#urgentInARow = urgent ? this.#urgentInARow + 1 : 0
    return urgent ?? this.#nextOf('patient') ?? this.#nextOf('urgent')
  }

  #nextOf(kind: 'urgent' | 'patient'): { seat: Seat; waiting: Waiting } | undefined {
    for (const [seat, queue] of this.#queues) {
      const waiting = queue[kind].shift()
      if (!waiting) continue
      // To the end of the row: whoever was served is the last to be served again.
      if (this.#queues.size > 1) {
        this.#queues.delete(seat)
        this.#queues.set(seat, queue)
      }
      return { seat, waiting }
    }
    return undefined
  }

  async #ask(seat: Seat, { unitId, request, timing }: Waiting): Promise<Reply> {
    const now = this.#clock.monotonic()
    const known = this.#breaker.standing(unitId, now)
    if (known instanceof Failure) throw known
    if (known) return known

    const probeMs = this.#breaker.probeMs(unitId, timing.timeoutMs, now)
    if (probeMs !== undefined) {
      const sign = await this.#exchange(seat, unitId, probeOf(request), timing, probeMs)
      if (isUnreachable(sign)) return sign
    }
    return await this.#exchange(seat, unitId, request, timing, timing.timeoutMs)
  }

  async #exchange(seat: Seat, unitId: number, request: Request, timing: Timing, patienceMs: number): Promise<Reply> {
    const listener = this.#queues.get(seat)?.listener
    // Nothing is waited for where nothing need be: a poll is many questions.
    const client = this.#client?.isUp() ? this.#client : await this.#reconnect(timing.timeoutMs, listener)
    const askAt = Math.max(client.connectedAt + timing.connectDelayMs, this.#lastExchangeAt + timing.interFrameDelayMs)
    const pauseMs = askAt - this.#clock.monotonic()
    if (pauseMs > 0) await sleep(this.#clock, pauseMs, this.#closed.signal)
    if (!this.#queues.has(seat)) throw closed()

    const askedAt = this.#clock.monotonic()
    const missed = (reason: Reply | Failure) => {
      const now = this.#clock.monotonic()
      const reconnectMs = client.isUp() ? 0 : RECONNECT_MS + timing.connectDelayMs
      const { timeoutMs } = timing
      this.#breaker.missed(unitId, { reason, now, waitedMs: now - askedAt, timeoutMs, reconnectMs })
    }
    try {
      const reply = await client.exchange(unitId, request, patienceMs, listener)
      this.#answered = true
      if (isUnreachable(reply)) missed(reply)
      else this.#breaker.answered(unitId, this.#clock.monotonic() - askedAt)
      return reply
    } catch (error) {
      if (error instanceof Failure) missed(error)
      throw error
    } finally {
      this.#lastExchangeAt = this.#clock.monotonic()
    }
  }

  /** As `#connect`, but leaves a host alone for a while that was out of reach just now. */
  async #reconnect(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    if (!this.#attempt && !this.#client?.isUp()) {
      const reason = this.#connecting.standing(this.#clock.monotonic())
      if (reason) throw reason
    }
    return this.#connect(timeoutMs, listener)
  }

  async #connect(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    if (this.#client?.isUp()) return this.#client
    this.#attempt ??= this.#makeClient(timeoutMs, listener)
    return this.#attempt
  }

  async #makeClient(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    const signal = this.#closed.signal
    const onIdleLoss = () => void this.#lookAgain(timeoutMs)
    try {
      const client = await connectClient(this.#address, { timeoutMs, signal, listener, onIdleLoss }, this.#deps)
      // The last user may have left in the moment between the connection and this line.
      if (this.#closed.signal.aborted) client.drop(closed().message)
      this.#client = client
      this.#connecting.succeeded()
      return client
    } catch (error) {
      this.#connecting.failed(error, this.#clock.monotonic())
      throw error
    } finally {
      this.#attempt = undefined
    }
  }

  /**
   * Much equipment closes a socket that is not used, and is there all the same: only when it takes no new one either
   * is the link lost. One look is enough, until somebody was answered again: the next question makes a socket anyhow.
   */
  async #lookAgain(timeoutMs: number): Promise<void> {
    if (this.#closed.signal.aborted || this.#underWay || !this.#answered) return
    this.#answered = false
    const [first] = this.#queues.values()
    try {
      await this.#connect(timeoutMs, first?.listener)
    } catch (error) {
      if (this.#closed.signal.aborted || !(error instanceof Failure)) return
      for (const { listener } of this.#queues.values()) listener?.lost(error)
    }
  }
}

const isUnreachable = (reply: Reply) => 'exception' in reply && GATEWAY_EXCEPTIONS.includes(reply.exception)

const closed = () => new Failure('offline', 'the connection was closed')
