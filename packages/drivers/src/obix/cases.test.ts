import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import { createObixProtocol } from './driver.ts'
import { connectionOf } from './testing/bench.ts'
import type { Case } from './testing/case.ts'
import { expectCase } from './testing/expect-case.ts'
import { startObixServer } from './testing/server.ts'

// Each folder is a case, and its name states the expectation; see cases/README.md.
const FOLDER = join(import.meta.dirname, 'cases')

const cases = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test.each(cases.map(({ name }) => name))('%s', async (name) => {
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

  const played = JSON.parse(textOf('case.json')) as Case
  const protocol = createObixProtocol({ clock: createManualClock() })
  const driver = protocol.connect(connectionOf(played.points, { url: server.url, ...played.settings }))
  onTestFinished(() => driver.close())
  await expectCase(played, driver)
  expect(waiting).toEqual([])
})

function split(text: string): [head: string, body: string] {
  const end = text.indexOf('\n\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
}
