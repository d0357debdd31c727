import { connect, type Socket } from 'node:net'
import { Failure } from '@plantroom/contract/failure'
import type { ProtocolDeps } from '../driver.ts'
import type { Client, ConnectOptions } from './client.ts'

export interface Address {
  host: string
  port: number
}

/** Returns for example `10.0.0.5:502` or `[::1]:502`. */
export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Resolves to what `use` makes of the socket when it is connected; rejects with a one-line reason. */
export function openSocket(
  address: Address,
  { timeoutMs, signal, listener }: ConnectOptions,
  deps: ProtocolDeps,
  use: (socket: Socket) => Client,
): Promise<Client> {
  const name = addressText(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true, ...(deps.lookup && { lookup: deps.lookup }) })
    const settle = (reason?: string) => {
      cancelTimeout()
      signal.removeEventListener('abort', giveUp)
      socket.off('connect', succeed)
      if (reason === undefined) {
        resolve(use(socket))
        socket.off('error', fail)
      } else {
        socket.destroy()
        reject(new Failure('offline', `${name} ${reason}`))
      }
    }
    const succeed = () => settle()
    const fail = (error: Error) => settle(reasonOf(error))
    const giveUp = () => settle('was not opened: the attempt was cancelled')
    const cancelTimeout = deps.clock.after(timeoutMs, () => {
      listener?.timedOut()
      settle(`did not accept the connection within ${timeoutMs} ms`)
    })
    socket.on('connect', succeed)
    socket.on('error', fail)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  })
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'did not accept the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTFOUND: 'is an unknown host name',
  EAI_AGAIN: 'is a host name that could not be resolved',
}

/** Says in words what an error of a socket means. */
export function reasonOf(error: Error & { code?: string }): string {
  return REASONS[error.code ?? ''] ?? `cannot be used: ${error.message}`
}
