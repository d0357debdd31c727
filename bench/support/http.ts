import { connect } from 'node:net'

const HEADER_END = Buffer.from('\r\n\r\n')

export interface HttpRequest {
  host: string
  port: number
  path: string
  headers: Readonly<Record<string, string>>
  /** A function creates a new body for each request. */
  body: string | (() => string)
}

/** A keep-alive connection with one pending request. Kept minimal; see `load`. */
export interface HttpConnection {
  /** Resolves with the body of the response; rejects unless it is a success. */
  exchange(request: Buffer): Promise<string>
  close(): void
}

export function openConnection({ host, port }: Pick<HttpRequest, 'host' | 'port'>): Promise<HttpConnection> {
  return new Promise((opened, refused) => {
    const socket = connect(port, host)
    socket.setNoDelay(true)
    let received: Buffer = Buffer.alloc(0)
    let answered: (body: string) => void = () => {}
    let failed: (error: Error) => void = refused

    socket.on('error', (error) => failed(error))
    socket.on('close', () => failed(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = answerIn(received)
      if (!answer) return
      const { status, body, end } = answer
      received = received.subarray(end)
      if (status === '200') answered(body)
      else failed(new Error(`${status}: ${body}`))
    })
    socket.on('connect', () =>
      opened({
        exchange: (request) =>
          new Promise((resolve, reject) => {
            answered = resolve
            failed = reject
            socket.write(request)
          }),
        close: () => socket.end(),
      }),
    )
  })
}

/** The request as bytes, built once if its body is constant. */
export function requestBytes(request: HttpRequest): () => Buffer {
  const { host, port, path, headers, body } = request
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  const withBody = (text: string) => Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  if (typeof body === 'function') return () => withBody(body())
  const bytes = withBody(body)
  return () => bytes
}

function answerIn(received: Buffer): { status: string; body: string; end: number } | undefined {
  const headerEnd = received.indexOf(HEADER_END)
  if (headerEnd < 0) return undefined
  const header = received.toString('latin1', 0, headerEnd)
  const start = headerEnd + HEADER_END.length
  const end = start + Number(/content-length: (\d+)/i.exec(header)?.[1])
  return received.length < end
    ? undefined
    : { status: header.slice(9, 12), body: received.toString('utf8', start, end), end }
}
