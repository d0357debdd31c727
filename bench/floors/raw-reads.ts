import { once } from 'node:events'
import { connect } from 'node:net'
import { readRequest, takeFrame } from '../support/modbus.ts'

/**
 * Floor of a poll: requests of 125 registers in sequence on one socket, without decoding. One at a time, as equipment
 * expects. Argument: the server's port. Each message is a number of polls and of requests; the reply is the time they
 * took.
 */
const REGISTERS = 125
const socket = connect({ port: Number(process.argv[2]), host: '127.0.0.1', noDelay: true })
await once(socket, 'connect')
let received: Buffer = Buffer.alloc(0)
let left = 0
let requests = 0
let sent = 0
let from = 0

function send(): void {
  sent += 1
  left -= 1
  socket.write(readRequest(sent & 0xffff, (left % requests) * REGISTERS, REGISTERS))
}

socket.on('data', (chunk) => {
  received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
  const taken = takeFrame(received)
  if (!taken) return
  received = taken.rest
  if (left > 0) send()
  else process.send?.({ ms: performance.now() - from })
})
process.on('message', (question: { requests: number; polls: number }) => {
  requests = question.requests
  left = requests * question.polls
  from = performance.now()
  send()
})
process.once('disconnect', () => process.exit(0))
process.once('SIGINT', () => process.exit(0))
process.send?.({ ready: {} })
