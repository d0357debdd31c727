import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'

const PROGRAM = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync)
const CONFIGURATION = join(import.meta.dirname, '../../../../deploy/haproxy.cfg')

/** When true, suites that need HAProxy are skipped. */
export const withoutHaproxy = PROGRAM === undefined || spawnSync('openssl', ['version']).status !== 0

/** The name in the certificate of the proxy. */
export const PUBLIC_NAME = 'plantroom.example.com'

export interface Sent {
  status: number | undefined
  body: Record<string, unknown>
  cookie: string | undefined
}

export interface Haproxy {
  /** Sends a request through the proxy from an address of this machine. */
  send(about: {
    from?: string
    method?: string
    path: string
    headers?: Record<string, string>
    body?: Buffer | object
  }): Promise<Sent>
  /** Resolves with the first bytes of an answer that does not end. */
  firstBytes(path: string, headers: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

/** Starts a real HAProxy with the configuration that we ship, on a free port and in front of processes on these ports. */
export async function startHaproxy(folder: string, [one, two]: readonly [number, number]): Promise<Haproxy> {
  const port = await freePort()
  const pem = join(folder, 'plantroom.pem')
  const ca = makeCertificate(folder, pem)
  const file = join(folder, 'haproxy.cfg')
  const shipped = readFileSync(CONFIGURATION, 'utf8')
  const own = [
    [' :443 ', ` 127.0.0.1:${port} `, 1],
    ['/etc/haproxy/plantroom.pem', pem, 1],
    ['127.0.0.1:8080', `127.0.0.1:${one}`, 2],
    ['127.0.0.1:8081', `127.0.0.1:${two}`, 2],
  ] as const
  writeFileSync(
    file,
    own.reduce((text, [from, to, times]) => replaced(text, from, to, times), shipped),
  )
  const child = spawn(PROGRAM ?? 'haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const gone = once(child, 'exit')
  await eventually(() => canConnect(port))

  const open = (path: string, method: string, headers: Record<string, string>, from: string) =>
    request({
      ...{ host: '127.0.0.1', port, path, method, localAddress: from, servername: PUBLIC_NAME, ca, agent: false },
      headers: { host: PUBLIC_NAME, ...headers },
    })
  return {
    async send({ from = '127.0.0.1', method = 'GET', path, headers = {}, body }) {
      const isJson = body !== undefined && !Buffer.isBuffer(body)
      const sent = open(path, method, { ...(isJson && { 'content-type': 'application/json' }), ...headers }, from)
      sent.end(isJson ? JSON.stringify(body) : body)
      const [answer] = await once(sent, 'response')
      const text = (await answer.toArray()).join('')
      const [cookie] = answer.headers['set-cookie'] ?? []
      const isReadable = answer.headers['content-type']?.includes('json') ?? false
      return {
        status: answer.statusCode,
        body: isReadable ? JSON.parse(text) : { text },
        cookie: cookie?.split(';')[0],
      }
    },
    async firstBytes(path, headers) {
      const sent = open(path, 'GET', headers, '127.0.0.1')
      sent.end()
      const [answer] = await once(sent, 'response')
      const [bytes] = await once(answer, 'data')
      sent.destroy()
      return `${answer.statusCode} ${bytes}`
    },
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

function replaced(text: string, from: string, to: string, times: number): string {
  const parts = text.split(from)
  if (parts.length !== times + 1) throw new Error(`the shipped configuration does not have ${from} ${times} times`)
  return parts.join(to)
}

/** Writes key and certificate into one file, as HAProxy wants them. Returns the certificate. */
function makeCertificate(folder: string, pem: string): Buffer {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=Plantroom test', '-addext', `subjectAltName=DNS:${PUBLIC_NAME}`],
    ...['-keyout', keyFile, '-out', certFile],
  ])
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  const certificate = readFileSync(certFile)
  writeFileSync(pem, Buffer.concat([certificate, readFileSync(keyFile)]))
  return certificate
}
