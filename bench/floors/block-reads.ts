import { once } from 'node:events'
import { connect } from 'node:net'
import { readRequest } from '../support/modbus.ts'
import { answerParent } from './journal-file.ts'

/**
 * Floor for equipment that is partly silent: reads blocks of 125 registers, each with a timeout, and ignores unanswered
 * blocks. Arguments: the server's port, the number of registers, the timeout in ms. On any message it reads all of them
 * once and replies with the number of values.
 */
const REGISTERS_PER_REQUEST = 125
const [port = 0, registers = 0, timeoutMs = 0] = process.argv.slice(2).map(Number)

answerParent(async () => {
  let read = 0
  for (let first = 0; first < registers; first += REGISTERS_PER_REQUEST) {
    const count = Math.min(REGISTERS_PER_REQUEST, registers - first)
    if (await isAnswered(first, count)) read += count
  }
  return { registers: read }
})

/** Uses a separate socket, so that a late answer cannot reach another block. */
async function isAnswered(first: number, count: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(readRequest(1, first, count))
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(timeoutMs) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
