import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import type { Client, Transport } from './client.ts'
import { RETRY_MS } from './read-policy.ts'

const MAX_CONNECT_MS = 3000

interface Users {
  /** Returns true during a request, which handles the loss of the link itself. */
  isBusy(): boolean
  listeners(): readonly (DriverListener | undefined)[]
}

/** The link of an endpoint. Reconnects after a loss, at most once a second while that fails. */
export class SharedLink {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #users: Users
  readonly #closing = new AbortController()
  #client: Client | undefined
  #attempt: Promise<Client> | undefined
  #failed: { reason: unknown; at: number } | undefined
  #connectMs = 0
  /** True if a request was answered since the last reconnect of an idle link. */
  #isAnswered = false

  constructor(transport: Transport, clock: Clock, users: Users) {
    this.#transport = transport
    this.#clock = clock
    this.#users = users
  }

  /** Aborts when the link is closed for good. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Returns the client while it is connected. */
  current(): Client | undefined {
    return this.#client?.isUp() ? this.#client : undefined
  }

  /** Returns how long the last successful attempt to connect took. */
  connectMs(): number {
    return this.#connectMs
  }

  answered(): void {
    this.#isAnswered = true
  }

  /** Connects unless already connected. */
  async open(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    const current = this.current()
    if (current) return current
    this.#attempt ??= this.#connect(timeoutMs, listener)
    return this.#attempt
  }

  /** Like `open`, but for a second after a failed attempt rejects with the reason of that attempt. */
  async reconnect(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    if (!this.#attempt && this.#failed && this.#clock.monotonic() < this.#failed.at + RETRY_MS)
      throw this.#failed.reason
    return this.open(timeoutMs, listener)
  }

  close(reason: string): void {
    this.#closing.abort()
    this.#client?.drop(reason)
  }

  async #connect(timeoutMs: number, listener: DriverListener | undefined): Promise<Client> {
    const options = {
      timeoutMs: Math.min(timeoutMs, MAX_CONNECT_MS),
      signal: this.#closing.signal,
      listener,
      onIdleLoss: () => void this.#reconnectIdle(timeoutMs),
    }
    const startedAt = this.#clock.monotonic()
    try {
      const client = await this.#transport.connect(options)
      // The last user may have left in the meantime.
      if (this.#closing.signal.aborted) client.drop('the connection was closed')
      this.#client = client
      this.#connectMs = client.connectedAt - startedAt
      this.#failed = undefined
      return client
    } catch (reason) {
      this.#failed = { reason, at: this.#clock.monotonic() }
      throw reason
    } finally {
      this.#attempt = undefined
    }
  }

  /**
   * Reconnects an idle socket. Much equipment closes idle sockets, so the link counts as lost only if the equipment
   * accepts no new one. One attempt is enough until a request is answered, because the next request connects anyway.
   */
  async #reconnectIdle(timeoutMs: number): Promise<void> {
    if (this.#closing.signal.aborted || this.#users.isBusy() || !this.#isAnswered) return
    this.#isAnswered = false
    try {
      await this.open(timeoutMs, this.#users.listeners()[0])
    } catch (error) {
      if (this.#closing.signal.aborted || !(error instanceof Failure)) return
      for (const listener of this.#users.listeners()) listener?.lost(error)
    }
  }
}
