import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ModbusFaults } from '../faults.ts'
import { type Framing, TCP_FRAMING } from './frames.ts'
import type { Unit } from './functions.ts'
import { type Reply, respond } from './misbehaviour.ts'

export interface ModbusServer {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  /** Replaces all faults. */
  misbehave(faults: ModbusFaults): void
  stop(): Promise<void>
}

export interface ModbusServerOptions {
  host: string
  port: number
  units: ReadonlyMap<number, Unit>
  faults: ModbusFaults
  /** Called on a reboot: written values are lost. */
  onReboot(): void
  clock: Clock
  log: Log
  /** That of Modbus TCP unless stated. */
  framing?: Framing
}

const MAX_CLIENTS = 100

/** Starts a Modbus TCP server for several unit ids and clients. Rejects if the port is in use. */
export async function startModbusServer(options: ModbusServerOptions): Promise<ModbusServer> {
  const { log } = options
  let { faults } = options
  const clients = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => log.debug({ error: error.message }, 'a Modbus client went away'))
    if (faults['one-connection'] && clients.size > 0) return void socket.destroy()
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    serve(socket, options, () => faults)
  })
  server.maxConnections = MAX_CLIENTS
  server.listen(options.port, options.host)
  await once(server, 'listening')

  const hangUp = () => {
    for (const client of clients) client.destroy()
  }
  const { address, port } = server.address() as AddressInfo
  return {
    host: address,
    port,
    misbehave(next) {
      faults = next
      if (!next.reboot) return
      options.onReboot()
      hangUp()
    },
    async stop() {
      hangUp()
      await closed(server)
    },
  }
}

function serve(
  socket: Socket,
  { units, clock, log, framing = TCP_FRAMING }: ModbusServerOptions,
  faults: () => ModbusFaults,
): void {
  const send = createSender(socket, clock)
  const connectedAt = clock.monotonic()
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    if (clock.monotonic() - connectedAt < (faults()['deaf-after-connect'] ?? 0)) return
    const taken = framing.take(Buffer.concat([received, chunk]))
    if (!taken) {
      log.debug('dropped a client that does not speak Modbus')
      socket.destroy()
      return
    }
    received = Buffer.from(taken.rest)
    const replies: Reply[] = []
    for (const frame of taken.frames) {
      const reply = respond(frame, units, faults(), framing)
      if (reply === 'reset') return void socket.resetAndDestroy()
      if (reply !== 'nothing') replies.push(reply)
    }
    if (replies.length > 0) send(replies)
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

const BETWEEN_BYTES_MS = 1

/** Sends replies over a connection in order, each with its own faults. */
function createSender(socket: Socket, clock: Clock): (replies: readonly Reply[]) => void {
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  let waiting = 0
  let queue = Promise.resolve()

  function write(bytes: Buffer): void {
    // Requests of a client that does not read its answers have to wait.
    if (socket.destroyed || socket.write(bytes)) return
    socket.pause()
    socket.once('drain', () => socket.resume())
  }

  async function send({ bytes, delayMs, byteByByte }: Reply): Promise<void> {
    if (delayMs > 0) await sleep(clock, delayMs, closed.signal)
    if (!byteByByte) return write(bytes)
    for (const byte of bytes) {
      write(Buffer.of(byte))
      await sleep(clock, BETWEEN_BYTES_MS, closed.signal)
    }
  }

  return (replies) => {
    if (waiting === 0 && replies.every(isPlain)) return write(Buffer.concat(replies.map(({ bytes }) => bytes)))
    waiting += replies.length
    for (const reply of replies) {
      queue = queue
        .then(() => send(reply))
        .finally(() => {
          waiting -= 1
        })
    }
  }
}

const isPlain = ({ delayMs, byteByByte }: Reply) => delayMs === 0 && !byteByByte
