import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog, keepRecentLines, type LogLevel } from './log.ts'

function logTo(level: LogLevel = 'info') {
  const lines: string[] = []
  const log = createLog('edge', level, { write: (line) => void lines.push(line) })
  return { log, lines }
}

describe('the log', () => {
  test('writes one JSON line per event, with the name of the program', () => {
    const { log, lines } = logTo()
    log.info({ device: 'dev_1' }, 'connected\nto the cloud')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name: 'edge', device: 'dev_1', msg: 'connected\nto the cloud' })
  })

  test('respects its level', () => {
    const { log, lines } = logTo('warn')
    log.info('not said')
    log.warn('said')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['said'])
  })

  const SECRET = 'hunter2hunter2'
  test.each([
    { secret: SECRET },
    { password: SECRET },
    { apiKey: SECRET },
    { adminToken: SECRET },
    { deviceSecret: SECRET },
    { token: SECRET },
    { config: { deviceSecret: SECRET } },
    { user: { password: SECRET } },
    { headers: { 'x-api-key': SECRET, authorization: SECRET, cookie: SECRET } },
    { req: { headers: { 'x-api-key': SECRET, authorization: SECRET, cookie: SECRET } } },
  ])('never writes a secret: %j', (event) => {
    const { log, lines } = logTo()
    log.info(event, 'happened')
    log.child(event).info('happened')
    expect(lines.join('')).not.toContain(SECRET)
    expect(lines.join('')).toContain('[secret]')
  })
})

test('does not keep a process alive whose output is no longer read', async () => {
  const program = `
    import { createLog } from '${new URL('log.ts', import.meta.url)}'
    const log = createLog('edge', 'info')
    process.stdin.on('end', () => {
      for (let line = 0; line < 10_000; line += 1) log.info({ line }, 'unread output')
      process.exit(0)
    }).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout.destroy()
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('the last lines are kept, without secrets and without very long lines', () => {
  const written: string[] = []
  const recent = keepRecentLines(2, { write: (line) => void written.push(line) })
  const log = createLog('cloud', 'info', recent.destination)
  expect(recent.lines()).toEqual([])
  log.info({ secret: 'hunter2' }, 'first')
  expect(recent.lines().join()).toContain('first')
  log.info('second')
  log.info('x'.repeat(5000))
  log.info({ token: 'hunter2' }, 'third')
  expect(recent.lines().map((line) => JSON.parse(line).msg)).toEqual(['second', 'third'])
  expect(recent.lines().join()).not.toContain('hunter2')
  expect(written).toHaveLength(4)
})
