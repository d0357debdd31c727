import { connect, type Socket } from 'node:net'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener, ProtocolDeps } from '../driver.ts'
import { decodeFrame, decodeReply, encodeRequest, MAX_FRAME, type Reply, type Request } from './frame.ts'

export interface Address {
  host: string
  port: number
}

/** Returns for example `10.0.0.5:502` or `[::1]:502`. */
export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The reason why a request got no valid answer. The socket is closed by then. */
export interface NoAnswer {
  reason: Failure
  /** True if nothing arrived, as opposed to an invalid answer or a closed socket. */
  timedOut: boolean
}

/**
 * One socket, one exchange at a time. Anything but the answer to the current request closes the socket, so that a late
 * or stray reply never reaches another request.
 */
export interface Client {
  /** The monotonic time at which the connection was established. */
  readonly connectedAt: number
  isUp(): boolean
  /** Sends the request before it returns. */
  exchange(unitId: number, request: Request, timeoutMs: number, listener?: DriverListener): Promise<Reply | NoAnswer>
  drop(reason: string): void
}

interface Pending {
  unitId: number
  request: Request
  transactionId: number
  listener: DriverListener | undefined
  settle(answer: Reply | NoAnswer): void
}

export interface ClientDeps extends ProtocolDeps {
  /** Returns ids that repeat late, even across sockets: some gateways send a late answer to the next connection. */
  nextTransactionId: () => number
}

export interface ConnectOptions {
  timeoutMs: number
  /** Aborts the attempt. */
  signal: AbortSignal
  /** Notified when the attempt takes too long. */
  listener: DriverListener | undefined
  /** Called when the socket is lost between exchanges. */
  onIdleLoss(): void
}

/** Resolves when the connection is established; rejects with a one-line reason. */
export function connectClient(address: Address, options: ConnectOptions, deps: ClientDeps): Promise<Client> {
  const { timeoutMs, signal, listener, onIdleLoss } = options
  const name = addressText(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true, ...(deps.lookup && { lookup: deps.lookup }) })
    const settle = (reason?: string) => {
      cancelTimeout()
      signal.removeEventListener('abort', giveUp)
      socket.off('connect', succeed)
      if (reason === undefined) {
        resolve(clientOn(socket, name, onIdleLoss, deps))
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

const NOTHING: Buffer = Buffer.alloc(0)

function clientOn(
  socket: Socket,
  name: string,
  onIdleLoss: () => void,
  { clock, nextTransactionId }: ClientDeps,
): Client {
  let pending: Pending | undefined
  let received = NOTHING
  let lost: string | undefined

  function lose(reason: string, timedOut = false) {
    if (lost !== undefined) return
    lost = reason
    socket.destroy()
    if (pending) pending.settle({ reason: new Failure('offline', reason), timedOut })
    else onIdleLoss()
  }

  function receive(chunk: Buffer) {
    if (!pending) return lose(`${name} sent data without a request`)
    if (received.length + chunk.length > MAX_FRAME) return lose(`${name} sent more data than an answer can have`)
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const frame = decodeFrame(received)
    if (frame === 'incomplete') return
    if (frame === 'malformed') return lose(`${name} sent something that is not Modbus TCP`)
    const { unitId, transactionId, request, listener } = pending
    if (frame.transactionId !== transactionId || frame.unitId !== unitId) {
      return lose(`${name} sent an answer to a request other than the one for unit ${unitId}`)
    }
    const reply = decodeReply(request, frame.pdu)
    if (!reply) return lose(`unit ${unitId} at ${name} sent an answer that does not fit the request`)
    received = NOTHING
    if ('exception' in reply) listener?.exception()
    pending.settle(reply)
  }

  socket.on('data', receive)
  socket.on('error', (error) => lose(`${name} ${reasonOf(error)}`))
  socket.on('end', () => lose(`${name} closed the connection`))
  socket.on('close', () => lose(`${name} closed the connection`))

  return {
    connectedAt: clock.monotonic(),
    isUp: () => lost === undefined,
    drop: (reason) => lose(reason),
    exchange(unitId, request, timeoutMs, listener) {
      return new Promise((resolve, reject) => {
        if (lost !== undefined) return resolve({ reason: new Failure('offline', lost), timedOut: false })
        if (pending) return reject(new Error('one exchange at a time'))
        const transactionId = nextTransactionId()
        // Send first, so that the equipment prepares its answer in the meantime.
        socket.write(encodeRequest(transactionId, unitId, request))
        const cancelTimeout = clock.after(timeoutMs, () => {
          listener?.timedOut()
          lose(`unit ${unitId} at ${name} did not answer within ${Math.round(timeoutMs)} ms`, true)
        })
        pending = {
          unitId,
          request,
          transactionId,
          listener,
          settle(answer) {
            pending = undefined
            cancelTimeout()
            resolve(answer)
          },
        }
      })
    },
  }
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

function reasonOf(error: Error & { code?: string }): string {
  return REASONS[error.code ?? ''] ?? `cannot be used: ${error.message}`
}
