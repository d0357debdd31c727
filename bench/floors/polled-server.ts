import { type AddressInfo, createServer } from 'node:net'
import { replyTo, takeFrame } from '../support/modbus.ts'

/** The pause between two polls of one client is longer than this, the one between requests of a poll shorter. */
const PAUSE_MS = 100

/**
 * A Modbus server that times how fast it is polled. Argument: the number of requests per poll. On any message it
 * replies with the next complete poll: its number on the socket, and the time from the first request to the last.
 */
const requests = Number(process.argv[2])
const memory = { read: (register: number) => register & 0x7fff, write() {} }
let asked = false

const server = createServer({ noDelay: true }, (socket) => {
  let received: Buffer = Buffer.alloc(0)
  let polls = 0
  let served = 0
  let firstAt = 0
  let lastAt = 0

  function count(): void {
    const now = performance.now()
    if (now - lastAt > PAUSE_MS) {
      served = 0
      firstAt = now
    }
    lastAt = now
    served += 1
    if (served !== requests) return
    polls += 1
    if (!asked) return
    asked = false
    process.send?.({ poll: polls, ms: now - firstAt })
  }

  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    for (let taken = takeFrame(received); taken; taken = takeFrame(received)) {
      received = taken.rest
      count()
      socket.write(replyTo(taken.frame, memory))
    }
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('message', () => {
  asked = true
})
process.once('disconnect', () => process.exit(0))
process.once('SIGINT', () => process.exit(0))
