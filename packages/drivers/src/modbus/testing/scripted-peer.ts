import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A question as it arrived, with the means to answer it rightly or wrongly. */
export interface Question {
  socket: Socket
  transactionId: number
  unitId: number
  functionCode: number
  address: number
  /** The third word: a count, or the value of functions 5 and 6. */
  count: number
  /** What follows the function code. */
  body: Buffer
  /** The bytes of an answer; `as` lies about where it comes from. */
  frame(pdu: readonly number[], as?: { transactionId?: number; unitId?: number }): Buffer
  answer(pdu: readonly number[], as?: { transactionId?: number; unitId?: number }): void
  /** Answers a read of registers with these. */
  answerRegisters(...registers: readonly number[]): void
}

/** A Modbus TCP peer without any behaviour of its own: each test scripts its answers. */
export interface ScriptedPeer {
  port: number
  /** How many connections it has accepted so far. */
  accepted(): number
  /** How many of them are open. */
  standing(): number
  /** Resolves to the next question that was not taken yet. */
  next(): Promise<Question>
  /** From now on every question goes to `handler`. */
  serve(handler: (question: Question) => void): void
  /** From now on every new connection goes to `handler` first; `standing` counts the open ones before it. */
  welcome(handler: (socket: Socket, standing: number) => void): void
  /** Resolves when no connection is open. */
  deserted(): Promise<void>
  /** Closes the open connections; new ones are accepted. */
  hangUp(): void
  isStopped(): boolean
  stop(): Promise<void>
}

export async function startScriptedPeer(port = 0): Promise<ScriptedPeer> {
  const sockets = new Set<Socket>()
  const questions: Question[] = []
  const takers: ((question: Question) => void)[] = []
  const waitingForDesertion: (() => void)[] = []
  let handler: ((question: Question) => void) | undefined
  let greet: (socket: Socket, standing: number) => void = () => {}
  let accepted = 0

  function give(question: Question) {
    const taker = handler ?? takers.shift()
    if (taker) taker(question)
    else questions.push(question)
  }

  const server = createServer((socket) => {
    accepted += 1
    greet(socket, sockets.size)
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of waitingForDesertion.splice(0)) resolve()
    })
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 6 && received.length >= 6 + received.readUInt16BE(4)) {
        const end = 6 + received.readUInt16BE(4)
        give(questionIn(received.subarray(0, end), socket))
        received = received.subarray(end)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    standing: () => sockets.size,
    next() {
      const question = questions.shift()
      return question ? Promise.resolve(question) : new Promise((resolve) => takers.push(resolve))
    },
    serve(newHandler) {
      handler = newHandler
      for (const question of questions.splice(0)) newHandler(question)
    },
    welcome(newGreet) {
      greet = newGreet
    },
    deserted: () =>
      sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waitingForDesertion.push(resolve)),
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

function questionIn(bytes: Buffer, socket: Socket): Question {
  const transactionId = bytes.readUInt16BE(0)
  const unitId = bytes.readUInt8(6)
  const functionCode = bytes.readUInt8(7)
  const body = bytes.subarray(8)
  const frame: Question['frame'] = (pdu, as = {}) => {
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
