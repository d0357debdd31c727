import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

interface Steps {
  /** What to do before the server gets a statement that begins like this. */
  before?: Readonly<Record<string, () => void>>
  /** The connection ends when the server has carried out this statement, and the answer is lost. */
  loseAnswerTo?: string
}

/** Forwards connections to the database at `connectionString` until the test ends, and returns another address of it. */
export async function stepDatabase(connectionString: string, { before = {}, loseAnswerTo }: Steps): Promise<string> {
  const url = new URL(connectionString)
  const server = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.searchParams.get('port')}`)
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(server)
    let isLost = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      for (const [statement, act] of Object.entries(before)) if (asks(chunk, statement)) act()
      isLost ||= loseAnswerTo !== undefined && asks(chunk, loseAnswerTo)
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => (isLost ? near.destroy() : near.write(chunk)))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as { port: number }
  return `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`
}

/** A simple query: its kind, its length in four bytes, and its text. */
const asks = (chunk: Buffer, statement: string) =>
  chunk.toString('latin1', 0, 1) === 'Q' && chunk.toString('latin1', 5).trimStart().startsWith(statement)
