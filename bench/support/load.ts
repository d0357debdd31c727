import { connect, type Socket } from 'node:net'

const HEADER_END = Buffer.from('\r\n\r\n')

export interface HttpRequest {
  host: string
  port: number
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/**
 * Sends the same request over keep-alive connections, each with one request under way, for a bounded time. Lean on
 * purpose: on a small machine the generator takes from the same cores as what it measures.
 */
export async function load(request: HttpRequest, connections: number, seconds: number): Promise<LoadResult> {
  const bytes = Buffer.from(
    [
      `POST ${request.path} HTTP/1.1`,
      `Host: ${request.host}:${request.port}`,
      ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(request.body)}`,
      '',
      request.body,
    ].join('\r\n'),
  )
  const latencies: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(Array.from({ length: connections }, () => oneConnection(request, bytes, end, latencies)))
  const took = (performance.now() - started) / 1000
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: latencies.length / took, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function oneConnection(request: HttpRequest, bytes: Buffer, end: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(request.port, request.host)
    socket.setNoDelay(true)
    let sentAt = 0
    let received: Buffer = Buffer.alloc(0)

    function send() {
      sentAt = performance.now()
      socket.write(bytes)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const length = answerLength(received)
      if (length === undefined || received.length < length) return
      if (received.toString('latin1', 9, 12) !== '200') return reject(new Error(received.toString()))
      received = received.subarray(length)
      const now = performance.now()
      latencies.push(now - sentAt)
      if (now < end) return send()
      socket.removeAllListeners('close')
      socket.end()
      resolve()
    })
  })
}

function answerLength(received: Buffer): number | undefined {
  const headerEnd = received.indexOf(HEADER_END)
  if (headerEnd < 0) return undefined
  const match = /content-length: (\d+)/i.exec(received.toString('latin1', 0, headerEnd))
  return headerEnd + HEADER_END.length + Number(match?.[1])
}
