import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface WebdavServer {
  url: string
  /** The files by name, as they are stored. */
  files: Map<string, Buffer>
  /** What was asked, for example `PUT name`. */
  asked: string[]
  /** Answers instead of the server when it returns true. */
  fault: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

/** A real WebDAV folder on this machine, for the user `me` with the password `geheim`. */
export async function startWebdav(): Promise<WebdavServer> {
  const files = new Map<string, Buffer>()
  const asked: string[] = []
  const authorization = `Basic ${Buffer.from('me:geheim').toString('base64')}`
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav/`
  const dav: WebdavServer = { url, files, asked, fault: undefined }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request
    const name = nameOf(request.url ?? '')
    asked.push(`${method} ${name}`)
    const end = (status: number, more: Record<string, string> = {}, body?: Buffer | string) =>
      response.writeHead(status, more).end(body)
    if (dav.fault?.(request, response)) return
    if (headers.authorization !== authorization) return void end(401, { 'www-authenticate': 'Basic realm="dav"' })
    const file = files.get(name)
    if (method === 'PROPFIND') return void end(file || name === '' ? 207 : 404, {}, '<multistatus/>')
    if (method === 'PUT') {
      files.set(name, await buffer(request))
      return void end(201)
    }
    if (!file) return void end(404)
    if (method === 'HEAD') return void end(200, { 'content-length': String(file.length) })
    if (method === 'GET') return void end(200, {}, file)
    files.delete(name)
    if (method === 'MOVE') files.set(nameOf(new URL(String(headers.destination)).pathname), file)
    return void end(204)
  }
  return dav
}

const nameOf = (path: string) => decodeURIComponent(path.slice('/dav/'.length))
