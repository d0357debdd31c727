import { connect } from 'node:net'
import { readRequest } from '../support/modbus.ts'

/**
 * Floor for recovery after a silence: one small read every 500 ms on one socket, answered or not. Arguments: the
 * server's port, the register.
 */
const EVERY_MS = 500
const [port = 0, register = 0] = process.argv.slice(2).map(Number)
const socket = connect({ port, host: '127.0.0.1', noDelay: true })
socket.resume()
let sent = 0
setInterval(() => {
  sent += 1
  socket.write(readRequest(sent & 0xffff, register, 1))
}, EVERY_MS)
process.once('disconnect', () => process.exit(0))
process.once('SIGINT', () => process.exit(0))
process.send?.({ ready: {} })
