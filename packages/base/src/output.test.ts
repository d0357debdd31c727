import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_WAITING_BYTES } from './output.ts'

const PROGRAM = fileURLToPath(new URL('./testing/talker.ts', import.meta.url))
const LINE_BYTES = 200
/** Much more than the memory for waiting lines and any buffer of the system take. */
const MANY = Math.floor((8 * MAX_WAITING_BYTES) / LINE_BYTES)
/** More than a terminal takes. */
const FEW = 100

/** Opens a terminal, prints its name, and reads from it only when it is told to. */
const TERMINAL = `
import os, pty, sys
master, slave = pty.openpty()
print(os.ttyname(slave), flush=True)
sys.stdin.readline()
while chunk := os.read(master, 65536):
    os.write(1, chunk)
`

type Kind = 'pipe' | 'socket' | 'terminal'
/** An output that nobody reads before `read` is called. */
interface Unread {
  child: ChildProcess
  read(): Readable
}

/** Starts the program with stdout and stderr on one descriptor, as a service manager does. */
function start(output: number | 'pipe'): ChildProcess {
  const stderr = output === 'pipe' ? 'ignore' : output
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', output, stderr, 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (output !== 'pipe') closeSync(output)
  return child
}

function startOnPipe(): Unread {
  const path = join(temporaryFolder(), 'fifo')
  spawnSync('mkfifo', [path])
  const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
  onTestFinished(() => void reader.destroy())
  return { child: start(openSync(path, constants.O_WRONLY)), read: () => reader }
}

function startOnSocket(): Unread {
  const child = start('pipe')
  return { child, read: () => child.stdout as Readable }
}

async function startOnTerminal(): Promise<Unread> {
  const terminal = spawn('python3', ['-c', TERMINAL], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void terminal.kill('SIGKILL'))
  const [name] = (await once(terminal.stdout, 'data')) as [Buffer]
  const read = () => {
    terminal.stdin.write('\n')
    return terminal.stdout
  }
  return { child: start(openSync(name.toString().trim(), constants.O_WRONLY | constants.O_NOCTTY)), read }
}

const STARTS = { pipe: startOnPipe, socket: startOnSocket, terminal: startOnTerminal }

async function startTalker(kind: Kind) {
  const { child, read } = await STARTS[kind]()
  let said = 0
  child.on('message', (message: { said?: number }) => {
    said = message.said ?? 0
  })
  await once(child, 'message')
  let text = ''
  return {
    child,
    /** Lets the program log, and resolves when one of its timers has fired after that. */
    async say(lines: number): Promise<void> {
      const goal = said + lines
      child.send({ lines })
      await eventually(() => expect(said).toBe(goal))
    },
    read: () =>
      void read().on('data', (chunk: Buffer) => {
        text += chunk.toString()
      }),
    text: () => text,
    /** The complete lines read so far. */
    lines: (): Record<string, unknown>[] =>
      text
        .split(/\r?\n/)
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  }
}

describe.each<Kind>(['pipe', 'socket', 'terminal'])('an output that nobody reads, a %s,', (kind) => {
  test('does not block the program, which says how many lines were lost when it is read again', async () => {
    const talker = await startTalker(kind)
    await talker.say(MANY)
    await talker.say(1)
    talker.read()
    await eventually(() => expect(talker.lines().at(-1)).toHaveProperty('lost'))
    const [loss, ...kept] = talker.lines().toReversed()
    expect(loss).toMatchObject({ level: 40, name: 'talker', lost: MANY + 1 - kept.length })
    expect(kept.toReversed().map(({ next }) => next)).toEqual(kept.map((_, index) => index))
    await talker.say(1)
    await eventually(() => expect(talker.lines().at(-1)).toMatchObject({ next: MANY + 1 }))
    expect(talker.lines().filter(({ lost }) => lost)).toHaveLength(1)
  })

  test.each([
    ['exiting', 'exit', 0],
    ['crashing', 'crash', 1],
  ])('does not keep the program from %s', async (_name, ending, code) => {
    const { child } = await startTalker(kind)
    child.send({ lines: MANY, ending })
    expect(await once(child, 'exit')).toEqual([code, null])
  })
})

describe.each<Kind>(['pipe', 'socket', 'terminal'])('an output that is read, a %s,', (kind) => {
  test.each(['exit', 'crash'])('has every line of a program that ends: %s', async (ending) => {
    const talker = await startTalker(kind)
    talker.read()
    talker.child.send({ lines: FEW, ending })
    await eventually(() => expect(talker.text()).toContain('last words'))
    expect(talker.text()).toContain(`"next":${FEW - 1},`)
    expect(talker.text()).not.toContain('"lost":')
    if (ending === 'crash' && kind !== 'socket')
      await eventually(() => expect(talker.text()).toContain('Error: out of registers'))
  })
})

test('a file gets every line at its end', async () => {
  const path = join(temporaryFolder(), 'log')
  writeFileSync(path, 'before\n')
  const child = start(openSync(path, 'a'))
  await once(child, 'message')
  child.send({ lines: MANY, ending: 'crash' })
  await once(child, 'exit')
  const lines = readFileSync(path, 'utf8').split('\n')
  expect(lines[0]).toBe('before')
  expect(lines.slice(1, MANY + 1).map((line) => JSON.parse(line).next)).toEqual(
    lines.slice(1, MANY + 1).map((_, n) => n),
  )
  expect(lines.slice(MANY + 1, MANY + 3)).toEqual([expect.stringContaining('last words'), 'Error: out of registers'])
})
