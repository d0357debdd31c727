import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A question as it went over the wire, and the whole answer to it. */
export interface Exchange {
  request: Buffer
  reply: Buffer
}

/** Stands between a client and a server, and keeps what goes to and fro. */
export interface Recorder {
  /** As the client names the server. */
  host: string
  /** In the order in which they were asked. */
  exchanges: readonly Exchange[]
  stop(): Promise<void>
}

/** For clients that ask one question at a time on each socket. */
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
      // What is said after an answer has begun is the next question.
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

/** Says again what was recorded, as long as it is asked what was asked then, byte for byte. */
export interface Replay {
  host: string
  /** What was asked instead of what was recorded, if it was. */
  differences: { expected: string; asked: string }[]
  /** How many of the exchanges nobody has asked for. */
  left(): number
  stop(): Promise<void>
}

/** @param recorded the exchanges, for a server of this name */
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
