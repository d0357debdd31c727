import type { Socket } from 'node:net'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener, ProtocolDeps } from '../driver.ts'
import type { Client, ConnectOptions, NoAnswer } from './client.ts'
import { decodeReply, type Reply, type Request } from './frame.ts'
import { decodeFrame, encodeRequest, MAX_FRAME } from './mbap.ts'
import { type Address, addressText, openSocket, reasonOf } from './open-socket.ts'

interface Pending {
  unitId: number
  request: Request
  transactionId: number
  listener: DriverListener | undefined
  settle(answer: Reply | NoAnswer): void
}

export interface TcpClientDeps extends ProtocolDeps {
  /** Returns ids that repeat late, even across sockets: some gateways send a late answer to the next connection. */
  nextTransactionId: () => number
}

/**
 * Connects by Modbus TCP. Anything but the answer to the current request closes the socket, so that a late or stray reply
 * never reaches another request.
 */
export function connectByTcp(address: Address, options: ConnectOptions, deps: TcpClientDeps): Promise<Client> {
  return openSocket(address, options, deps, (socket) =>
    clientOn(socket, addressText(address), options.onIdleLoss, deps),
  )
}

const NOTHING: Buffer = Buffer.alloc(0)

function clientOn(
  socket: Socket,
  name: string,
  onIdleLoss: () => void,
  { clock, nextTransactionId }: TcpClientDeps,
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
    quietAt: () => Number.NEGATIVE_INFINITY,
    giveUp: lose,
    drop: lose,
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
