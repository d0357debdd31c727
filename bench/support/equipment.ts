import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { replyTo, takeFrame } from './modbus.ts'

/** A register was set to a value, and when. */
export interface RegisterWrite {
  at: number
  register: number
  value: number
}

/** Equipment on Modbus TCP that takes any value, and notes the moment in which each came. */
export interface Equipment {
  port: number
  /** In the order in which they came. */
  writes: readonly RegisterWrite[]
  stop(): Promise<void>
}

export async function startEquipment(): Promise<Equipment> {
  const writes: RegisterWrite[] = []
  const registers = new Map<number, number>()
  const clients = new Set<Socket>()

  const memory = {
    read: (register: number) => registers.get(register) ?? 0,
    write(register: number, value: number) {
      writes.push({ at: Date.now(), register, value })
      registers.set(register, value)
    },
  }
  const server = createServer({ noDelay: true }, (socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    socket.on('error', () => {})
    let received: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      for (let taken = takeFrame(received); taken; taken = takeFrame(received)) {
        received = taken.rest
        socket.write(replyTo(taken.frame, memory))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    writes,
    async stop() {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
