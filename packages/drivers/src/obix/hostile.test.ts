import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { type Bench, startBench } from './testing/bench.ts'

let bench: Bench
let driver: Driver
beforeEach(async () => {
  bench = await startBench({ supply: { tag: 'real', val: '21.5', writable: true }, fan: { tag: 'bool', val: 'true' } })
  driver = await bench.open()
})
afterEach(() => bench.stop())

const MIB = 1_048_576
const NOT_TAKEN = 'the server sent an unusable answer: '

/** Reads one point while the server gives this answer to everything. */
async function readingOf(body: string | Buffer, headers: Record<string, string> = {}) {
  bench.server.play((_, response) => response.writeHead(200, headers).end(body))
  const [reading] = await driver.read(['supply'])
  return reading
}

/** Sends `total` bytes while the client reads them, and counts the bytes that were sent. */
function flood(total: number): Promise<number> {
  return new Promise((resolve) => {
    bench.server.play((_, response) => {
      let sent = 0
      const chunk = Buffer.alloc(65_536, '<real val="1"/>')
      const more = () => {
        while (sent < total) {
          sent += chunk.length
          if (!response.write(chunk)) return
        }
        response.end()
      }
      response.on('drain', more)
      response.on('close', () => resolve(sent))
      response.on('error', () => {})
      response.writeHead(200)
      more()
    })
  })
}

describe('an answer of 100 MB', () => {
  test('is cut off as soon as it exceeds the limit', async () => {
    const sent = flood(100 * MIB)
    expect(await driver.read(['supply'])).toEqual([{ error: `${NOT_TAKEN}it is longer than 1048576 bytes` }])
    // The rest is what the buffers of the two sockets hold.
    expect(await sent).toBeLessThan(20 * MIB)
  })

  test('is cut off before its first byte if it states its length', async () => {
    bench.server.play((_, response) => response.writeHead(200, { 'content-length': 100 * MIB }).flushHeaders())
    expect(await driver.read(['supply'])).toEqual([{ error: `${NOT_TAKEN}it is longer than 1048576 bytes` }])
    await expect.poll(() => bench.server.openSockets()).toBe(0)
  })

  test('does not fill the memory, however often it is sent', async () => {
    const heldBefore = process.memoryUsage().arrayBuffers
    for (let turn = 0; turn < 10; turn += 1) {
      const sent = flood(100 * MIB)
      await driver.read(['supply'])
      await sent
    }
    expect(process.memoryUsage().arrayBuffers - heldBefore).toBeLessThan(64 * MIB)
  })

  test('to a write means that its outcome is unknown', async () => {
    const sent = flood(100 * MIB)
    await expect(driver.write('supply', 1)).rejects.toMatchObject({ kind: 'offline' })
    await sent
  })

  test('to a batch leaves the points readable one at a time', async () => {
    bench.server.play(({ path }, response, obey) => {
      if (path.endsWith('batch/')) response.end(Buffer.alloc(2 * MIB, ' '))
      else obey()
    })
    expect(await driver.read(['supply', 'fan'])).toEqual([{ raw: 21.5 }, { raw: 1 }])
  })
})

test('an answer of exactly the maximum length is accepted', async () => {
  const document = '<real val="4"/>'
  const padded = document + ' '.repeat(MIB - document.length)
  expect(await readingOf(padded)).toEqual({ raw: 4 })
  expect(await readingOf(`${padded} `)).toEqual({ error: `${NOT_TAKEN}it is longer than 1048576 bytes` })
})

describe('an answer', () => {
  test('that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB))
    expect(await readingOf(bomb, { 'content-encoding': 'gzip' })).toEqual({ error: `${NOT_TAKEN}it is compressed` })
  })

  test('that trickles in without end times out', async () => {
    let trickle: (() => Promise<void>) | undefined
    const started = () =>
      new Promise<void>((resolve) => {
        bench.server.play((_, response) => {
          trickle = () => new Promise<void>((sent) => response.write(' ', () => sent()))
          response.writeHead(200)
          void trickle().then(resolve)
        })
      })
    const first = started()
    const reading = expect(driver.read(['supply'])).rejects.toThrow('did not answer within 5000 ms')
    await first
    for (let second = 0; second < 4; second += 1) {
      bench.clock.advanceNow(1000)
      await trickle?.()
    }
    const second = started()
    bench.clock.advanceNow(1000)
    // The lobby shows whether the point or the whole server does not answer.
    await second
    bench.clock.advanceNow(5000)
    await reading
  })

  test.each([
    ['bombs', '<!DOCTYPE r [<!ENTITY a "99">]><real val="&a;"/>', 'it has a document type, which is not accepted'],
    ['files', '<!DOCTYPE r SYSTEM "/etc/passwd"><real val="1"/>', 'it has a document type, which is not accepted'],
    ['depth', '<obj>'.repeat(100_000), 'it is more than 64 elements deep'],
    ['breadth', `<list>${'<a/>'.repeat(100_000)}</list>`, 'it has more than 50000 elements'],
    ['attributes', `<real val="${'1'.repeat(100_000)}"/>`, 'an attribute is longer than 16384 characters'],
  ])('with %s is rejected, and the next one is read', async (_, body, reason) => {
    expect(await readingOf(body)).toEqual({ error: NOT_TAKEN + reason })
    expect(await readingOf('<real val="5"/>')).toEqual({ raw: 5 })
  })

  test('with invalid UTF-8 is still read', async () => {
    expect(await readingOf(Buffer.from('<real display="21 \u00b0C" val="21"/>', 'latin1'))).toEqual({ raw: 21 })
  })

  test('that is not HTTP does not count', async () => {
    bench.server.play((_, response) => response.socket?.end('220 ftp ready\r\n'))
    await expect(driver.read(['supply'])).rejects.toThrow('sent something that is not HTTP')
  })
})
