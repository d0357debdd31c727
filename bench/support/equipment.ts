import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { replyTo, takeFrame, touchedBy } from './modbus.ts'

/** A value written to a register, and when. */
export interface RegisterWrite {
  at: number
  register: number
  value: number
}

/** A request that reached the equipment, answered or not. */
export interface EquipmentRequest {
  at: number
  isRead: boolean
  /** The first of the registers that it touches. */
  register: number
  count: number
  isAnswered: boolean
}

/** Equipment on Modbus TCP that accepts any value, records every request, and can fall silent. */
export interface Equipment {
  port: number
  /** In order of arrival, without writes that the equipment ignored. */
  writes: readonly RegisterWrite[]
  /** In order of arrival. */
  requests: readonly EquipmentRequest[]
  /** Ignores requests that touch one of these registers from now on. Replaces the previous set. */
  silence(registers: Iterable<number>): void
  /** Ignores every request from now on. Sockets stay open, and new ones are accepted. */
  silenceAll(): void
  /** Resets every register to 0, like a restart, and answers everything again. Returns the time. */
  restart(): number
  stop(): Promise<void>
}

export async function startEquipment(): Promise<Equipment> {
  const writes: RegisterWrite[] = []
  const requests: EquipmentRequest[] = []
  const registers = new Map<number, number>()
  const clients = new Set<Socket>()
  let silent: ReadonlySet<number> = new Set()
  let isAllSilent = false

  const memory = {
    read: (register: number) => registers.get(register) ?? 0,
    write(register: number, value: number) {
      writes.push({ at: Date.now(), register, value })
      registers.set(register, value)
    },
  }

  function answers(register: number, count: number): boolean {
    if (isAllSilent) return false
    for (const one of silent) if (one >= register && one < register + count) return false
    return true
  }

  function receive(socket: Socket, frame: Buffer): void {
    const touched = touchedBy(frame)
    const isAnswered = answers(touched.register, touched.count)
    requests.push({ at: Date.now(), ...touched, isAnswered })
    if (isAnswered) socket.write(replyTo(frame, memory))
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
        receive(socket, taken.frame)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    writes,
    requests,
    silence(silenced) {
      silent = new Set(silenced)
    },
    silenceAll() {
      isAllSilent = true
    },
    restart() {
      registers.clear()
      silent = new Set()
      isAllSilent = false
      return Date.now()
    },
    async stop() {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
