import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A request as sent over the wire, and its complete answer. */
export interface Exchange {
  request: Buffer
  reply: Buffer
}

/** A proxy between a client and a server that records their exchanges. */
export interface Recorder {
  /** The address that the client uses for the server. */
  host: string
  /** The exchanges in the order of the requests. */
  exchanges: readonly Exchange[]
  stop(): Promise<void>
}

/** Starts a recorder for clients that send one request at a time on each socket. */
export async function startRecorder(to: { host: string; port: number }): Promise<Recorder> {
  const exchanges: Exchange[] = []
  const sockets = new Set<Socket>()

  const server = createServer((near) => {
    const far = connect(to)
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {})
    }
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())

    let current: Exchange | undefined
    near.on('data', (chunk) => {
      // Data after the start of an answer is the next request.
      if (!current || current.reply.length > 0) {
        current = { request: Buffer.alloc(0), reply: Buffer.alloc(0) }
        exchanges.push(current)
      }
      current.request = Buffer.concat([current.request, chunk])
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (current) current.reply = Buffer.concat([current.reply, chunk])
      near.write(chunk)
    })
  })
  const port = await listen(server)

  return {
    host: `127.0.0.1:${port}`,
    exchanges,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A server that replays recorded answers, as long as the requests match byte for byte. */
export interface Replay {
  host: string
  /** The requests that differ from the recorded ones. */
  differences: { expected: string; asked: string }[]
  /** Returns the number of exchanges that were not requested yet. */
  left(): number
  stop(): Promise<void>
}

/** @param recorded returns the exchanges for a server at this address */
export async function startReplay(recorded: (host: string) => readonly Exchange[]): Promise<Replay> {
  const differences: Replay['differences'] = []
  const sockets = new Set<Socket>()
  let left: Exchange[] = []

  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true))
    socket.on('error', () => {})
    let asked = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      asked = Buffer.concat([asked, chunk])
      const expected = left[0]?.request ?? Buffer.alloc(0)
      const fits = expected.subarray(0, asked.length).equals(asked)
      if (fits && asked.length < expected.length) return
      if (!fits) {
        differences.push({ expected: expected.toString(), asked: asked.toString() })
        return void socket.destroy()
      }
      asked = Buffer.alloc(0)
      socket.write(left.shift()?.reply ?? '')
    })
  })
  const host = `127.0.0.1:${await listen(server)}`
  left = [...recorded(host)]

  return {
    host,
    differences,
    left: () => left.length,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
