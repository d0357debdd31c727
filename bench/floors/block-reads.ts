import { once } from 'node:events'
import { connect } from 'node:net'
import { readRequest } from '../support/modbus.ts'
import { answerParent } from './journal-file.ts'

/**
 * Floor of reading equipment that is silent in parts: blocks of 125 registers, each with a timeout, and nothing done about
 * a block that is not answered. Arguments: the server's port, how many registers, the timeout in ms. Asked anything, it
 * reads all of them once and answers with how many it got.
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

/** On a socket of its own, so that no late answer reaches another block. */
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
