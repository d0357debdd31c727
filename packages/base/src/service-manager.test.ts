import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeServiceManager } from './service-manager.ts'

const PROGRAM = new URL('./testing/program.ts', import.meta.url)
const isMissing = spawnSync('systemd-notify', ['--version']).error !== undefined

/** Prints each message that arrives at a datagram socket on a line, as systemd would read it. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1].replace('@', '\\0', 1))
print('bound', flush=True)
while True:
    print(receiver.recv(4096).decode().strip().replace('\\n', ' '), flush=True)
`

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

async function startReceiver(socket: string) {
  const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void receiver.kill('SIGKILL'))
  let text = ''
  receiver.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(receiver.stdout, 'data')
  const messages = () => text.split('\n').filter((line) => line !== 'bound' && !line.startsWith('BARRIER'))
  const beats = () => messages().filter((line) => line.startsWith('WATCHDOG=1')).length
  return { messages, beats }
}

function startProgram(socket: string, env: NodeJS.ProcessEnv = {}) {
  const behaviour = { FIXTURE: 'notifies', NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' }
  return startChildProgram(PROGRAM, { env: { ...behaviour, ...env } })
}

describe.skipIf(isMissing)('a program that a service manager started', () => {
  test.each([
    ['in a folder', () => join(temporaryFolder(), 'notify')],
    ['in the abstract namespace', () => `@plantroom-test-${process.pid}`],
  ])('says that it is ready, that its event loop runs, and that it stops (socket %s)', async (_where, socketName) => {
    const socket = socketName()
    const { messages, beats } = await startReceiver(socket)
    const program = startProgram(socket)
    await eventually(() => expect(messages()).toContain('WATCHDOG=1 READY=1 STATUS=ready'))
    await eventually(() => expect(beats()).toBeGreaterThan(2))
    program.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 0, signal: null })
    await eventually(() => expect(messages()).toContain('WATCHDOG=1 STOPPING=1 STATUS=stopping'))
    expect(program.stdout()).toContain('environment: none')
  })

  test('gives no sign of life while its event loop is blocked', async () => {
    const sockets = [join(temporaryFolder(), 'blocked'), join(temporaryFolder(), 'running')] as const
    const [blocked, running] = [await startReceiver(sockets[0]), await startReceiver(sockets[1])]
    const program = startProgram(sockets[0])
    startProgram(sockets[1])
    await eventually(() => expect([blocked, running].map(({ beats }) => beats() > 0)).toEqual([true, true]))
    program.kill('SIGUSR2')
    await eventually(() => expect(program.stdout()).toContain('blocked'))
    // What was under way arrives first.
    await eventually(() => expect(childrenOf(program.pid).filter(isRunning)).toEqual([]))
    const moreBeats = async (count: number) => {
      const goal = running.beats() + count
      await eventually(() => expect(running.beats()).toBeGreaterThan(goal))
    }
    await moreBeats(2)
    const before = blocked.beats()
    await moreBeats(5)
    expect(blocked.beats()).toBe(before)
  })
})

describe('a program without systemd-notify', () => {
  test('runs, and says once what is missing', async () => {
    const program = startProgram('/nonexistent/notify', { PATH: '/nonexistent' })
    await eventually(() => expect(program.stderr()).toContain('systemd does not learn that the program runs'))
    program.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stderr().match(/systemd-notify, or/g)).toHaveLength(1)
  })
})

describe('the variables of a service manager', () => {
  test('are taken out of the environment', () => {
    const env = { NOTIFY_SOCKET: '@a', WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid), PATH: '/bin' }
    expect(takeServiceManager(env)).toEqual({ socket: '@a', path: '/bin', watchdogMs: 30_000 })
    expect(env).toEqual({ PATH: '/bin' })
  })

  test('of another process ask for no signs of life', () => {
    const env = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }
    expect(takeServiceManager(env)).toMatchObject({ watchdogMs: undefined })
  })

  test('are not there without one', () => {
    expect(takeServiceManager({ PATH: '/bin' })).toBeUndefined()
  })
})
