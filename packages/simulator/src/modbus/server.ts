import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Log } from '@plantroom/base/log'
import { frameBytes, takeFrames } from './frames.ts'
import { answer, type Unit } from './functions.ts'

export interface ModbusServer {
  host: string
  /** The port it listens on, also where 0 was asked for. */
  port: number
  stop(): Promise<void>
}

const MOST_CLIENTS = 100

/** A Modbus TCP server for several unit ids and several clients at once. Rejects when the port is taken. */
export async function startModbusServer(options: {
  host: string
  port: number
  units: ReadonlyMap<number, Unit>
  log: Log
}): Promise<ModbusServer> {
  const { units, log } = options
  const clients = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    socket.on('error', (error) => log.debug({ error: error.message }, 'a Modbus client went away'))
    serve(socket, units, log)
  })
  server.maxConnections = MOST_CLIENTS
  server.listen(options.port, options.host)
  await once(server, 'listening')

  const { address, port } = server.address() as AddressInfo
  return {
    host: address,
    port,
    async stop() {
      for (const client of clients) client.destroy()
      await closed(server)
    },
  }
}

function serve(socket: Socket, units: ReadonlyMap<number, Unit>, log: Log): void {
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    const taken = takeFrames(Buffer.concat([received, chunk]))
    if (!taken) {
      log.debug('dropped a client that does not speak Modbus TCP')
      socket.destroy()
      return
    }
    received = Buffer.from(taken.rest)
    const replies = taken.frames.map((frame) =>
      frameBytes({ ...frame, pdu: answer(units.get(frame.unitId), frame.pdu) }),
    )
    if (replies.length === 0) return
    // A client that asks without reading the answers is not heard until it has.
    if (!socket.write(Buffer.concat(replies))) {
      socket.pause()
      socket.once('drain', () => socket.resume())
    }
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
