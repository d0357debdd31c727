import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchFile } from './fetch-file.ts'

async function listen(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/downloads/1?signature=x`
}

const BYTES = Buffer.alloc(1_000_000, 'plantroom')

describe('a downloaded file', () => {
  test('appears when it is complete and replaces an existing one', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'site.fpl')
    writeFileSync(path, 'before')
    const progress: number[] = []
    await fetchFile(await listen((response) => response.end(BYTES)), path, BYTES.length, (done) => progress.push(done))
    expect(readFileSync(path).equals(BYTES)).toBe(true)
    expect(readdirSync(folder)).toEqual(['site.fpl'])
    expect(progress.at(-1)).toBe(BYTES.length)
  })

  test.each([
    [
      'is interrupted',
      /connection was lost/,
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': BYTES.length }).write(BYTES.subarray(0, 1000))
        setImmediate(() => response.destroy())
      },
    ],
    [
      'is shorter than promised',
      /ended after 10 of 1000000 bytes/,
      (response: ServerResponse) => response.end('0123456789'),
    ],
    [
      'is refused',
      /could not be downloaded: status 403/,
      (response: ServerResponse) => response.writeHead(403).end('{}'),
    ],
  ])('that %s leaves everything unchanged', async (_what, message, answer) => {
    const folder = temporaryFolder()
    const path = join(folder, 'site.fpl')
    writeFileSync(path, 'before')
    await expect(fetchFile(await listen(answer), path, BYTES.length, () => {})).rejects.toThrow(message)
    expect(readFileSync(path, 'utf8')).toBe('before')
    expect(readdirSync(folder)).toEqual(['site.fpl'])
  })

  test('from an unreachable host fails with its address', async () => {
    const path = join(temporaryFolder(), 'site.fpl')
    await expect(fetchFile('http://127.0.0.1:9/x', path, 1, () => {})).rejects.toThrow('127.0.0.1:9 cannot be reached')
  })
})
