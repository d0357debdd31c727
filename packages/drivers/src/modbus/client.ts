import { connect, type Socket } from 'node:net'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import { decodeFrame, decodeReply, encodeQuestion, LONGEST_FRAME, type Reply, type Request } from './frame.ts'

export interface Address {
  host: string
  port: number
}

/** Such as `10.0.0.5:502` or `[::1]:502`. */
export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * One socket, one exchange at a time. Whatever is not the answer to the question under way ends the
 * socket: a late or strayed reply has nobody left that it could be given to.
 */
export interface Client {
  /** Monotonic time at which the connection stood. */
  readonly connectedAt: number
  isUp(): boolean
  /** Rejects with a one-line reason when there is no proper answer; the socket is gone then. */
  exchange(unitId: number, request: Request, timeoutMs: number, listener?: DriverListener): Promise<Reply>
  drop(reason: string): void
}

interface Pending {
  unitId: number
  request: Request
  transactionId: number
  listener: DriverListener | undefined
  settle(answer: Reply | Failure): void
}

export interface ClientDeps {
  clock: Clock
  /** Never soon the same, whatever the socket: some gateways give a late answer to whoever is connected by then. */
  nextTransactionId: () => number
}

export interface ConnectOptions {
  timeoutMs: number
  /** Gives up the attempt. */
  signal: AbortSignal
  /** Told when the attempt takes too long. */
  listener: DriverListener | undefined
  /** The socket that stood is gone, and no exchange was under way that would tell. */
  onIdleLoss(): void
}

/** Resolves when the connection stands; rejects with a one-line reason. */
export function connectClient(address: Address, options: ConnectOptions, deps: ClientDeps): Promise<Client> {
  const { timeoutMs, signal, listener, onIdleLoss } = options
  const name = addressText(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true })
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
    const giveUp = () => settle('is no longer wanted')
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

  function lose(reason: string) {
    if (lost !== undefined) return
    lost = reason
    socket.destroy()
    if (pending) pending.settle(new Failure('offline', reason))
    else onIdleLoss()
  }

  function receive(chunk: Buffer) {
    if (!pending) return lose(`${name} sent something that nobody asked for`)
    if (received.length + chunk.length > LONGEST_FRAME) return lose(`${name} sent more than an answer`)
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const frame = decodeFrame(received)
    if (frame === 'incomplete') return
    if (frame === 'malformed') return lose(`${name} sent something that is not Modbus TCP`)
    const { unitId, transactionId, request, listener } = pending
    if (frame.transactionId !== transactionId || frame.unitId !== unitId) {
      return lose(`${name} sent the answer to another question than unit ${unitId} was asked`)
    }
    const reply = decodeReply(request, frame.pdu)
    if (!reply) return lose(`unit ${unitId} at ${name} sent an answer that does not fit the question`)
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
    drop: lose,
    exchange(unitId, request, timeoutMs, listener) {
      return new Promise((resolve, reject) => {
        if (lost !== undefined) return reject(new Failure('offline', lost))
        if (pending) return reject(new Error('one exchange at a time'))
        const transactionId = nextTransactionId()
        // Sent before anything else is done, so that it is done while the equipment works on the answer.
        socket.write(encodeQuestion(transactionId, unitId, request))
        const cancelTimeout = clock.after(timeoutMs, () => {
          listener?.timedOut()
          lose(`unit ${unitId} at ${name} did not answer within ${timeoutMs} ms`)
        })
        pending = {
          unitId,
          request,
          transactionId,
          listener,
          settle(answer) {
            pending = undefined
            cancelTimeout()
            if (answer instanceof Failure) reject(answer)
            else resolve(answer)
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
  ENOTFOUND: 'is a name that is not known',
  EAI_AGAIN: 'is a name that could not be looked up',
}

function reasonOf(error: Error & { code?: string }): string {
  return REASONS[error.code ?? ''] ?? `cannot be used: ${error.message}`
}
