import { spawn, spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'

/** A reply of a system that takes an export. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** A request of the script, with its body read as JSON. */
export interface Sent {
  readonly method: string
  /** With its query: `/api/v1/tickets?x=1`. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: never
}

/** How a run ends early, at the request with a number: before the system takes it, before the reply arrives, or by a kill. */
export interface Interruption {
  readonly at: number
  readonly kind: 'not taken' | 'no reply' | 'kill'
}

/** What the scripts need beside a shell. */
export const canSend = ['curl', 'jq'].every((program) => spawnSync(program, ['--version']).status === 0)

/** Runs `send.sh` of a folder against a system in this process. `requests` is the number of requests that it sent. */
export async function sendTo(
  system: (sent: Sent) => Reply,
  folder: string,
  variables: (address: string) => Readonly<Record<string, string>>,
  interruption?: Interruption,
) {
  let requests = 0
  let kill = () => {}
  const server = createServer(async (request, response) => {
    requests += 1
    const isInterrupted = requests === interruption?.at
    const body = await text(request)
    if (isInterrupted && interruption.kind === 'not taken') return void request.socket.destroy()
    const { method = '', url: path = '', headers } = request
    const reply = system({ method, path, headers, body: (body === '' ? undefined : JSON.parse(body)) as never })
    if (isInterrupted && interruption.kind === 'kill') kill()
    if (isInterrupted) return void request.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const home = temporaryFolder()
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home }
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const script = spawn('sh', ['send.sh'], { cwd: folder, env: { ...env, ...variables(address) } })
    kill = () => script.kill('SIGKILL')
    const [stdout, stderr, code] = await Promise.all([
      text(script.stdout),
      text(script.stderr),
      new Promise<number | null>((resolve) => script.once('exit', resolve)),
    ])
    return { stdout, stderr, code, requests }
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
