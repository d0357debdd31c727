import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRunning, startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { supervise } from './supervise.ts'
import { PING_MS } from './watch-loop.ts'

const PART = fileURLToPath(new URL('./testing/part.ts', import.meta.url))
const PARENT = new URL('./testing/parent.ts', import.meta.url)

interface Ready {
  pid: number
  before: string | null
}

function bench(behaviour = '', needsCleanStop = false) {
  const clock = createManualClock()
  const logFile = join(temporaryFolder(), 'part.log')
  // A program that ends immediately may end before its log exists.
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
  const pids = () => [...log().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid))
  const restarts: number[] = []
  onTestFinished(() => {
    for (const pid of pids()) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  const started = supervise<Ready>({
    name: 'part',
    program: PART,
    environment: (before) => ({ ...process.env, FIXTURE: behaviour, ...(before && { BEFORE: String(before.pid) }) }),
    logFile,
    clock,
    needsCleanStop,
    onRestart: () => restarts.push(clock.monotonic()),
  })
  return { clock, logFile, log, pids, restarts, started }
}

const hasEnded = (pid: number) => eventually(() => expect(isRunning(pid)).toBe(false))

describe('a supervised program', () => {
  test('resolves with its ready message', async () => {
    const { started, logFile } = bench()
    const part = await started
    expect(part.ready).toEqual({ pid: part.pid, before: null })
    expect(isRunning(part.pid)).toBe(true)
    expect(statSync(logFile).mode & 0o777).toBe(0o600)
    await part.stop()
  })

  test.each([
    ['before its end is known', async () => {}],
    ['before it is started again', async ({ pid }: { pid: number }) => hasEnded(pid)],
    [
      'while it is started again',
      async ({ pid }: { pid: number }, { clock, pids }: ReturnType<typeof bench>) => {
        await hasEnded(pid)
        await eventually(async () => {
          await clock.advance(250)
          expect(pids()).toHaveLength(2)
        })
      },
    ],
  ])('that needs a clean stop gets one after it was killed: %s', async (_when, reach) => {
    const one = bench('loads slowly', true)
    const part = await one.started
    process.kill(part.pid, 'SIGKILL')
    await reach(part, one)
    await part.stop()
    await eventually(() => expect(one.log()).toContain('stopped in order'))
    for (const pid of one.pids()) expect(isRunning(pid)).toBe(false)
  })

  test('stops cleanly and stays stopped', async () => {
    const { started, clock, log, pids, restarts } = bench()
    const part = await started
    await part.stop()
    expect(isRunning(part.pid)).toBe(false)
    await eventually(() => expect(log()).toContain('stopped in order'))
    await clock.advance(60_000)
    expect(pids()).toHaveLength(1)
    expect(restarts).toEqual([])
  })

  test('restarts after it was killed, with its previous ready message', async () => {
    const { started, clock, restarts } = bench()
    const part = await started
    const killed = part.pid
    process.kill(killed, 'SIGKILL')
    await eventually(() => expect(clock.waiting()).toEqual([250]))
    expect(restarts).toEqual([])
    await clock.advance(250)
    await eventually(() => expect(restarts).toHaveLength(1))
    expect(part.pid).not.toBe(killed)
    expect(part.ready).toEqual({ pid: part.pid, before: String(killed) })
    await part.stop()
    expect(isRunning(part.pid)).toBe(false)
  })

  // SIGUSR2 lets the program block its event loop, and SIGSTOP halts it.
  test.each(['SIGUSR2', 'SIGSTOP'] as const)(
    'is killed and restarts when it no longer answers (%s)',
    async (signal) => {
      const { started, clock, restarts, log } = bench('blocks')
      const part = await started
      const blocked = part.pid
      process.kill(blocked, signal)
      await eventually(async () => {
        await clock.advance(PING_MS)
        expect(isRunning(blocked)).toBe(false)
      })
      await eventually(async () => {
        await clock.advance(250)
        expect(restarts).toHaveLength(1)
      })
      expect(part.ready).toEqual({ pid: part.pid, before: String(blocked) })
      expect(log()).toContain('part has not answered for 60 s')
      await part.stop()
    },
  )

  test('restarts every time, one process at a time', async () => {
    const { started, clock, pids, restarts } = bench()
    const part = await started
    for (let time = 1; time <= 3; time += 1) {
      process.kill(part.pid, 'SIGKILL')
      await eventually(() => expect(clock.waiting()).toEqual([250]))
      await clock.advance(250)
      await eventually(() => expect(restarts).toHaveLength(time))
    }
    // The last process reports that it is ready before the log has its line.
    await eventually(() => expect(pids().filter(isRunning)).toEqual([part.pid]))
    await part.stop()
  })

  test('can be stopped while it waits to restart', async () => {
    const { started, clock, pids } = bench()
    const part = await started
    process.kill(part.pid, 'SIGKILL')
    await eventually(() => expect(clock.waiting()).toEqual([250]))
    await part.stop()
    await clock.advance(60_000)
    await eventually(() => expect(pids()).toHaveLength(1))
  })

  test('is killed if it ignores the request to stop', async () => {
    const { started, clock, log } = bench('ignores SIGTERM')
    const part = await started
    const stopped = part.stop()
    await eventually(() => expect(log()).toContain('not now'))
    expect(isRunning(part.pid)).toBe(true)
    await clock.advance(20_000)
    await stopped
    expect(isRunning(part.pid)).toBe(false)
  })

  // `stop` must also cover a process that is still starting and may never become ready.
  test('is gone after it was stopped in the middle of a restart', async () => {
    const { started, clock, pids } = bench('hangs the second time')
    const part = await started
    process.kill(part.pid, 'SIGKILL')
    await eventually(() => expect(clock.waiting()).toEqual([250]))
    await clock.advance(250)
    await eventually(() => expect(pids()).toHaveLength(2))
    const stopped = part.stop()
    await clock.advance(20_000)
    await stopped
    expect(pids().filter(isRunning)).toEqual([])
  })
})

describe('a program that ends before it is ready', () => {
  test('is reported with its own error message', async () => {
    await expect(bench('fails').started).rejects.toThrow(/^port 1 is taken: stop what uses it$/)
  })

  test('is reported with its exit code and log file if it printed nothing', async () => {
    const { started, logFile } = bench('ends without a word')
    await expect(started).rejects.toThrow(`part ended with 3; see ${logFile}`)
  })

  // The last line of Node's crash report is its version, which explains nothing.
  test('is reported with the cause of a crash', async () => {
    await expect(bench('crashes').started).rejects.toThrow('out of registers')
  })

  test('leaves its full output in the log', async () => {
    const { started, log } = bench('crashes')
    await expect(started).rejects.toThrow()
    await eventually(() => expect(log()).toContain('Error: out of registers'))
  })
})

describe('a supervisor that is killed with SIGKILL', () => {
  test('leaves no process behind', async () => {
    const parent = startChildProgram(PARENT, { args: [join(temporaryFolder(), 'part.log')], supervised: true })
    await eventually(() => expect(parent.messages).toHaveLength(1))
    const pid = Number(parent.messages[0])
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await hasEnded(pid)
  })
})
