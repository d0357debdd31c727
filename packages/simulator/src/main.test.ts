import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function simulate(args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PLANTROOM_SIMULATOR_MODBUS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  started.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, ended, ready: once(child, 'message').then(([message]) => message as Ready) }
}

interface Ready {
  ready: { modbus: { host: string; port: number } }
}

test.each(['SIGINT', 'SIGTERM'] as const)('says where it answers, and ends well on %s', async (signal) => {
  const { child, ended, ready } = simulate()
  const { modbus } = (await ready).ready
  expect(modbus).toEqual({ host: '127.0.0.1', port: expect.any(Number) })
  child.kill(signal)
  const { code, stdout, stderr } = await ended
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `simulated building: Modbus TCP on 127.0.0.1:${modbus.port}\n`,
    stderr: '',
  })
})

test('ends when its parent is gone', async () => {
  const { child, ready } = simulate()
  await ready
  // No `close` is emitted for a child whose channel was closed from this side.
  const exited = once(child, 'exit')
  child.disconnect()
  expect((await exited)[0]).toBe(0)
})

test('says in one line that its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { code, stderr } = await simulate([], { PLANTROOM_SIMULATOR_MODBUS_PORT: String(port) }).ended
  other.close()
  expect(code).toBe(1)
  expect(stderr).toBe(
    `plantroom simulate: cannot listen for Modbus TCP on 127.0.0.1:${port}: the port is taken; ` +
      'set PLANTROOM_SIMULATOR_MODBUS_PORT to another one, or to 0 for any that is free\n',
  )
})

test('says in one line what is wrong with its settings', async () => {
  const { code, stderr } = await simulate([], { PLANTROOM_LOG_LEVEL: 'loud' }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^plantroom simulate: Bad configuration: PLANTROOM_LOG_LEVEL: loud .*\n$/)
})

test('explains itself, and takes no arguments', async () => {
  const help = await simulate(['--help']).ended
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('usage: plantroom simulate')
  expect((await simulate(['--fast']).ended).code).toBe(2)
})
