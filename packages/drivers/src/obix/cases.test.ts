import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import type { Raw } from '../driver.ts'
import { createObixProtocol } from './driver.ts'
import { connectionOf, failure, never, type Points } from './testing/bench.ts'
import { startObixServer } from './testing/server.ts'

/**
 * A folder is a case, its name is what is expected: `01-request.txt` and `01-reply.txt` and so on are what goes to and
 * fro, in order, and `case.json` says what the driver is asked meanwhile. `{host}` stands for the server's address.
 */
interface Case {
  settings?: Record<string, unknown>
  points: Points
  /** Why opening fails, where it does. */
  opening?: string
  does: (
    | { read: string[]; gives: ({ raw: number | string } | { error: string })[] }
    | { write: [id: string, raw: number]; fails?: { kind: string; message: string } }
  )[]
}

const FOLDER = join(import.meta.dirname, 'cases')

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const server = await startObixServer()
  onTestFinished(() => server.stop())
  const host = `127.0.0.1:${server.port}`
  const textOf = (file: string) => readFileSync(join(FOLDER, name, file), 'utf8').replaceAll('{host}', host)

  const recorded = readdirSync(join(FOLDER, name)).filter((file) => file.endsWith('-request.txt'))
  const waiting = [...recorded]
  server.play(({ method, path, body, authorization }, response) => {
    const expected = waiting.shift()
    const heard = [`${method} ${path}`, ...(authorization ? [`authorization: ${authorization}`] : [])].join('\n')
    expect.soft(`${heard}\n\n${body}`.trim()).toBe(expected && textOf(expected).trim())
    const [head = '', content = ''] = split(textOf(expected?.replace('request', 'reply') ?? ''))
    const [status = '', ...headers] = head.split('\n')
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.map((line) => line.split(': '))))
    response.end(content)
  })

  const { settings, points, opening, does } = JSON.parse(textOf('case.json')) as Case
  const protocol = createObixProtocol({ clock: createManualClock() })
  const driver = protocol.connect(connectionOf(points, { url: server.url, ...settings }))
  onTestFinished(() => driver.close())

  if (opening === undefined) await driver.open(never)
  else await expect(driver.open(never)).rejects.toEqual(failure('offline', opening))
  for (const step of does) {
    if ('read' in step) expect(await driver.read(step.read)).toEqual(step.gives.map(withBigint))
    else if (step.fails) await expect(driver.write(...step.write)).rejects.toMatchObject(step.fails)
    else await driver.write(...step.write)
  }
  expect(waiting).toEqual([])
})

/** JSON has no bigint: it is written as `"9n"`. */
function withBigint(reading: { raw: number | string } | { error: string }): { raw: Raw } | { error: string } {
  if (!('raw' in reading)) return reading
  return { raw: typeof reading.raw === 'string' ? BigInt(reading.raw.replace('n', '')) : reading.raw }
}

function split(text: string): [head: string, body: string] {
  const end = text.indexOf('\n\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
}
