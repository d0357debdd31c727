import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import { createQueue } from '../queue.ts'
import type { ExampleConfig } from './config.ts'

/** The order of queued requests: the lowest rank goes first. */
export const RANK = { release: 0, setpoint: 1, urgent: 2, poll: 3 }

export interface LinkDeps {
  clock: Clock
  listener: DriverListener | undefined
}

export function createLink({ url, timeoutMs }: ExampleConfig, { clock, listener }: LinkDeps) {
  const inTurn = createQueue()
  let opened: AbortController | undefined

  async function exchange(href: string, request: RequestInit, signals: AbortSignal[]) {
    const timeout = new AbortController()
    const cancel = clock.after(timeoutMs, () => {
      listener?.timedOut()
      timeout.abort(new Error(`no answer within ${timeoutMs} ms`))
    })
    try {
      const signal = AbortSignal.any([...signals, timeout.signal])
      const reply = await fetch(href, { ...request, redirect: 'error', signal })
      if (!reply.ok) listener?.exception()
      return { ok: reply.ok, status: reply.status, text: await reply.text() }
    } catch (error) {
      throw new Failure('offline', `${url}: ${error instanceof Error ? error.message : error}`)
    } finally {
      cancel()
    }
  }

  /** Sends one request at a time. Rejects with `offline` when there is no answer. */
  async function send(rank: number, href: string, request: RequestInit = {}, stillWanted = () => true) {
    if (!opened) throw new Failure('offline', `the connection to ${url} is not open`)
    const signals = [opened.signal, ...(request.signal ? [request.signal] : [])]
    return inTurn(async () => {
      if (!stillWanted()) throw new Failure('conflict', 'the value is no longer wanted')
      return exchange(href, request, signals)
    }, rank)
  }

  function close(): void {
    opened?.abort(new Error('the connection was closed'))
    opened = undefined
  }

  async function open(signal: AbortSignal): Promise<void> {
    close()
    const mine = new AbortController()
    opened = mine
    try {
      await send(RANK.urgent, url, { signal })
    } catch (error) {
      if (opened === mine) opened = undefined
      throw error
    }
  }

  return { open, send, close }
}
