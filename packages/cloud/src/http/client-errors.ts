import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from './error-body.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

type Reason = { status: number } & Pick<ErrorBody, 'message' | 'code' | 'field'>

const NOT_HTTP: Reason = {
  status: 400,
  code: 'INVALID',
  field: 'request',
  message: 'the request is not valid HTTP: check its request line, headers and Content-Length',
}

const REASONS: Readonly<Record<string, Reason>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'TIMEOUT',
    message: 'the headers of the request did not arrive in time: send it again',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'the URL and the headers exceed 16384 bytes: shorten them',
  },
}

/** Answers bytes that are not a valid request, in the format of all errors, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, ...reason } = REASONS[error.code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ ...reason, reqId: randomUUID() } satisfies ErrorBody)
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

/** Answers an `Expect` header other than `100-continue`, because Node's own answer has no body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const message = 'the Expect header is not supported: leave it out'
  const body = JSON.stringify({ message, code: 'EXPECTATION_FAILED', reqId: randomUUID() } satisfies ErrorBody)
  const length = Buffer.byteLength(body)
  response.writeHead(417, { 'content-type': JSON_TYPE, 'content-length': length, connection: 'close' }).end(body)
}
