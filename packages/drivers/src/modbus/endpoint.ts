import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { Backoff } from './backoff.ts'
import { type Address, type Client, type ClientDeps, connectClient } from './client.ts'
import type { Reply, Request } from './frame.ts'

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

/** What one user has asked and was not answered yet. */
interface Queue {
  urgent: Waiting[]
  patient: Waiting[]
}

// However much is written, the rest is read now and then: a value that is never read again would pass for a live one.
const MOST_URGENT_IN_A_ROW = 10

/** The path to a unit, or the unit behind its gateway, is dead: asking again would hold up the others. */
const GATEWAY_EXCEPTIONS: readonly number[] = [10, 11]

/**
 * The one socket to a host and port, shared by all connections of the process that go there.
 *
 * Questions go out one at a time, the urgent ones first, the users in turn. A lost socket is made
 * anew by the next question. A unit that gave no proper answer is left alone for a while (1 s, doubling
 * to 60 s): what is asked of it meanwhile gets the same outcome at once, so that one dead unit costs
 * the others little.
 */
export class Endpoint {
  readonly #address: Address
  readonly #deps: ClientDeps
  readonly #clock: Clock
  readonly #unused: () => void
  readonly #queues = new Map<Seat, Queue>()
  readonly #units = new Map<number, Backoff<Reply | Failure>>()
  readonly #connecting = new Backoff<unknown>()
  readonly #closed = new AbortController()
  #client: Client | undefined
  #attempt: Promise<Client> | undefined
  #lastExchangeAt = Number.NEGATIVE_INFINITY
  #serving = false
  #urgentInARow = 0

  /** @param unused called when the last user has left and the socket is gone */
  constructor(address: Address, deps: ClientDeps, unused: () => void) {
    this.#address = address
    this.#deps = deps
    this.#clock = deps.clock
    this.#unused = unused
  }

  join(): Seat {
    const seat: Seat = {
      connect: async (unitId, timing) => {
        const outcome = this.#unit(unitId).standing(this.#clock.monotonic())
        if (outcome instanceof Failure) throw outcome
        await this.#connect(timing.timeoutMs)
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
    this.#queues.set(seat, { urgent: [], patient: [] })
    return seat
  }

  #leave(seat: Seat): void {
    const queue = this.#queues.get(seat)
    if (!queue) return
    this.#queues.delete(seat)
    for (const waiting of [...queue.urgent, ...queue.patient]) waiting.reject(closed())
    if (this.#queues.size > 0) return
    this.#closed.abort()
    this.#client?.drop(closed().message)
    this.#unused()
  }

  async #serve(): Promise<void> {
    if (this.#serving) return
    this.#serving = true
    for (let next = this.#next(); next; next = this.#next()) {
      const { seat, waiting } = next
      try {
        waiting.resolve(await this.#ask(seat, waiting))
      } catch (error) {
        waiting.reject(error)
      }
    }
    this.#serving = false
  }

  #next(): { seat: Seat; waiting: Waiting } | undefined {
    const urgent = this.#urgentInARow < MOST_URGENT_IN_A_ROW ? this.#nextOf('urgent') : undefined
    this.#urgentInARow = urgent ? this.#urgentInARow + 1 : 0
    return urgent ?? this.#nextOf('patient') ?? this.#nextOf('urgent')
  }

  #nextOf(kind: keyof Queue): { seat: Seat; waiting: Waiting } | undefined {
    for (const [seat, queue] of this.#queues) {
      const waiting = queue[kind].shift()
      if (!waiting) continue
      // To the end of the row: whoever was served is the last to be served again.
      this.#queues.delete(seat)
      this.#queues.set(seat, queue)
      return { seat, waiting }
    }
    return undefined
  }

  async #ask(seat: Seat, { unitId, request, timing }: Waiting): Promise<Reply> {
    const unit = this.#unit(unitId)
    const known = unit.standing(this.#clock.monotonic())
    if (known instanceof Failure) throw known
    if (known) return known

    const client = await this.#reconnect(timing.timeoutMs)
    const askAt = Math.max(client.connectedAt + timing.connectDelayMs, this.#lastExchangeAt + timing.interFrameDelayMs)
    const pauseMs = askAt - this.#clock.monotonic()
    if (pauseMs > 0) await sleep(this.#clock, pauseMs, this.#closed.signal)
    if (!this.#queues.has(seat)) throw closed()

    try {
      const reply = await client.exchange(unitId, request, timing.timeoutMs)
      const unreachable = 'exception' in reply && GATEWAY_EXCEPTIONS.includes(reply.exception)
      if (unreachable) unit.failed(reply, this.#clock.monotonic())
      else unit.succeeded()
      return reply
    } catch (error) {
      if (error instanceof Failure) unit.failed(error, this.#clock.monotonic())
      throw error
    } finally {
      this.#lastExchangeAt = this.#clock.monotonic()
    }
  }

  /** As `#connect`, but leaves a host alone for a while that was out of reach just now. */
  async #reconnect(timeoutMs: number): Promise<Client> {
    if (!this.#attempt && !this.#client?.isUp()) {
      const reason = this.#connecting.standing(this.#clock.monotonic())
      if (reason) throw reason
    }
    return this.#connect(timeoutMs)
  }

  async #connect(timeoutMs: number): Promise<Client> {
    if (this.#client?.isUp()) return this.#client
    this.#attempt ??= this.#makeClient(timeoutMs)
    return this.#attempt
  }

  async #makeClient(timeoutMs: number): Promise<Client> {
    try {
      const client = await connectClient(this.#address, timeoutMs, this.#deps, this.#closed.signal)
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

  #unit(unitId: number): Backoff<Reply | Failure> {
    let unit = this.#units.get(unitId)
    if (!unit) {
      unit = new Backoff()
      this.#units.set(unitId, unit)
    }
    return unit
  }
}

const closed = () => new Failure('offline', 'the connection was closed')
