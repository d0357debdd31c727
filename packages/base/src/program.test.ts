import { type ChildProgram, startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'

const PROGRAM = new URL('./testing/program.ts', import.meta.url)

function start(behaviour = '', options: { args?: string[]; supervised?: boolean } = {}): ChildProgram {
  return startChildProgram(PROGRAM, { ...options, env: { FIXTURE: behaviour } })
}

async function started(program: ChildProgram): Promise<void> {
  await eventually(() => expect(program.stdout()).toContain('started\n'))
}

describe('the command line of a program', () => {
  test.each(['--help', '-h'])('%s prints the usage and starts nothing', async (flag) => {
    const program = start('', { args: [flag] })
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('plantroom fixture: does nothing.\n')
  })

  test('an argument that it does not know is wrong usage: exit 2, one line that says where to look', async () => {
    const program = start('', { args: ['--prot=80'] })
    expect(await program.ended).toEqual({ code: 2, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: unknown argument --prot=80; see --help\n')
    expect(program.stdout()).toBe('')
  })
})

describe('a program that starts', () => {
  test('tells a parent over IPC what it is ready with, once', async () => {
    const program = start('', { supervised: true })
    await eventually(() => expect(program.messages).toEqual([{ ready: { port: 1883 } }]))
    program.kill('SIGTERM')
    await program.ended
    expect(program.messages).toHaveLength(1)
  })

  test('that fails says why in one line and exits with 1', async () => {
    const program = start('fails to start', { supervised: true })
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: port 1 is taken: stop what uses it\n')
    expect(program.messages).toEqual([])
  })

  test('that fails with something other than an Error says that', async () => {
    const program = start('throws a text')
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: no such file\n')
  })
})

describe('a program that runs', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s', async (signal) => {
    const program = start()
    await started(program)
    program.kill(signal)
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('started\nstopped\n')
  })

  test('stops in order when its parent is gone', async () => {
    const program = start('', { supervised: true })
    await started(program)
    program.disconnect()
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('started\nstopped\n')
  })

  test('stops also when its parent was gone before it had loaded', async () => {
    const program = start('slow to load', { supervised: true })
    await eventually(() => expect(program.messages).toEqual(['loading']))
    program.disconnect()
    expect(await program.ended).toEqual({ code: 0, signal: null })
  })

  test('that fails to stop says so and exits with 1', async () => {
    const program = start('fails to stop')
    await started(program)
    program.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: the journal cannot be closed\n')
  })
})
