import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { writeRequest } from '../support/modbus.ts'
import { answerParent, openJournalFile } from './journal-file.ts'

/**
 * Floor of an override's start: a timer, a row on disk, a register. Arguments: the folder, the row, the equipment's
 * port.
 */
const [folder = '', row = '', port] = process.argv.slice(2)
const add = openJournalFile(folder)
const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
socket.resume()
await once(socket, 'connect')

answerParent(async ({ register, times }: { register: number; times: number[] }) => {
  for (const [index, time] of times.entries()) {
    await setTimeout(Math.max(0, time - Date.now()))
    add(row)
    socket.write(writeRequest(index + 1, register, index + 1))
  }
  return {}
})
