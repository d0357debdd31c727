import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { MBAP, type PeerFraming } from './peer-framing.ts'

/** A received request, with ways to answer it correctly or not. */
export interface PeerRequest<Stream extends Duplex = Socket> {
  socket: Stream
  transactionId: number
  unitId: number
  functionCode: number
  address: number
  /** The third word: a count, or the value of functions 5 and 6. */
  count: number
  /** The bytes after the function code. */
  body: Buffer
  /** Returns the bytes of an answer; `as` fakes its header. */
  frame(pdu: readonly number[], as?: { transactionId?: number; unitId?: number }): Buffer
  answer(pdu: readonly number[], as?: { transactionId?: number; unitId?: number }): void
  /** Answers a read with these registers. */
  answerRegisters(...registers: readonly number[]): void
}

/** A Modbus peer on a socket without any logic: each test scripts its answers. */
export interface ScriptedPeer {
  port: number
  /** Returns how many connections were accepted so far. */
  accepted(): number
  /** Returns how many of them are open. */
  openCount(): number
  /** Resolves to the next unhandled request. */
  next(): Promise<PeerRequest>
  /** Passes every request to `handler` from now on. */
  serve(handler: (request: PeerRequest) => void): void
  /** Passes every new connection to `handler` first; `alreadyOpen` is the number of other open connections. */
  welcome(handler: (socket: Socket, alreadyOpen: number) => void): void
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>
  /** Closes the open connections; new ones are accepted. */
  hangUp(): void
  isStopped(): boolean
  stop(): Promise<void>
}

export async function startScriptedPeer(port = 0, framing: PeerFraming = MBAP): Promise<ScriptedPeer> {
  const sockets = new Set<Socket>()
  const requests: PeerRequest[] = []
  const takers: ((request: PeerRequest) => void)[] = []
  const closeWaiters: (() => void)[] = []
  let handler: ((request: PeerRequest) => void) | undefined
  let greet: (socket: Socket, alreadyOpen: number) => void = () => {}
  let accepted = 0

  function give(request: PeerRequest) {
    const taker = handler ?? takers.shift()
    if (taker) taker(request)
    else requests.push(request)
  }

  const server = createServer((socket) => {
    accepted += 1
    greet(socket, sockets.size)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of closeWaiters.splice(0)) resolve()
    })
    takeRequests(socket, framing, give)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    openCount: () => sockets.size,
    next() {
      const request = requests.shift()
      return request ? Promise.resolve(request) : new Promise((resolve) => takers.push(resolve))
    },
    serve(newHandler) {
      handler = newHandler
      for (const request of requests.splice(0)) newHandler(request)
    },
    welcome(newGreet) {
      greet = newGreet
    },
    allClosed: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => closeWaiters.push(resolve))),
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    isStopped: () => !server.listening,
    async stop() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

/** Calls `give` with each request that arrives on the stream. */
export function takeRequests<Stream extends Duplex>(
  socket: Stream,
  framing: PeerFraming,
  give: (request: PeerRequest<Stream>) => void,
): void {
  let received = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let end = framing.endOf(received); end <= received.length; end = framing.endOf(received)) {
      give(requestIn(received.subarray(0, end), socket, framing))
      received = received.subarray(end)
    }
  })
}

function requestIn<Stream extends Duplex>(bytes: Buffer, socket: Stream, framing: PeerFraming): PeerRequest<Stream> {
  const { transactionId, unitId, pdu } = framing.open(bytes)
  const functionCode = pdu.readUInt8(0)
  const body = pdu.subarray(1)
  const frame: PeerRequest<Stream>['frame'] = (reply, as = {}) =>
    framing.close(reply, { transactionId: as.transactionId ?? transactionId, unitId: as.unitId ?? unitId })
  return {
    socket,
    transactionId,
    unitId,
    functionCode,
    address: body.readUInt16BE(0),
    // An identification has no count.
    count: body.length < 4 ? 0 : body.readUInt16BE(2),
    body,
    frame,
    answer: (pdu, as) => socket.write(frame(pdu, as)),
    answerRegisters: (...registers) =>
      socket.write(
        frame([functionCode, registers.length * 2, ...registers.flatMap((word) => [(word >> 8) & 0xff, word & 0xff])]),
      ),
  }
}
