import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A received request, with ways to answer it correctly or not. */
export interface PeerRequest {
  socket: Socket
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

/** A Modbus TCP peer without any logic: each test scripts its answers. */
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

export async function startScriptedPeer(port = 0): Promise<ScriptedPeer> {
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
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of closeWaiters.splice(0)) resolve()
    })
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 6 && received.length >= 6 + received.readUInt16BE(4)) {
        const end = 6 + received.readUInt16BE(4)
        give(requestIn(received.subarray(0, end), socket))
        received = received.subarray(end)
      }
    })
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

function requestIn(bytes: Buffer, socket: Socket): PeerRequest {
  const transactionId = bytes.readUInt16BE(0)
  const unitId = bytes.readUInt8(6)
  const functionCode = bytes.readUInt8(7)
  const body = bytes.subarray(8)
  const frame: PeerRequest['frame'] = (pdu, as = {}) => {
    const header = Buffer.alloc(7)
    header.writeUInt16BE(as.transactionId ?? transactionId, 0)
    header.writeUInt16BE(pdu.length + 1, 4)
    header.writeUInt8(as.unitId ?? unitId, 6)
    return Buffer.concat([header, Buffer.from(pdu)])
  }
  return {
    socket,
    transactionId,
    unitId,
    functionCode,
    address: body.readUInt16BE(0),
    count: body.readUInt16BE(2),
    body,
    frame,
    answer: (pdu, as) => socket.write(frame(pdu, as)),
    answerRegisters: (...registers) =>
      socket.write(
        frame([functionCode, registers.length * 2, ...registers.flatMap((word) => [(word >> 8) & 0xff, word & 0xff])]),
      ),
  }
}
