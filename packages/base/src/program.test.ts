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

  test.each(['--version', '-V'])('%s prints the version and starts nothing', async (flag) => {
    const program = start('', { args: [flag] })
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('plantroom 1.2.3\n')
  })

  test('with an unknown argument is wrong usage: exit code 2 and one line with a hint', async () => {
    const program = start('', { args: ['--prot=80'] })
    expect(await program.ended).toEqual({ code: 2, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: unknown argument --prot=80; see --help\n')
    expect(program.stdout()).toBe('')
  })
})

describe('a program that starts', () => {
  test('sends its ready message to the parent once', async () => {
    const program = start('', { supervised: true })
    await eventually(() => expect(program.messages).toEqual([{ ready: { port: 1883 } }]))
    program.kill('SIGTERM')
    await program.ended
    expect(program.messages).toHaveLength(1)
  })

  test('and fails prints the reason in one line and exits with 1', async () => {
    const program = start('fails to start', { supervised: true })
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: port 1 is taken: stop what uses it\n')
    expect(program.messages).toEqual([])
  })

  test('and fails with something other than an Error prints that', async () => {
    const program = start('throws a text')
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: no such file\n')
  })
})

describe('a running program', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const program = start()
    await started(program)
    program.kill(signal)
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('started\nstopped\n')
  })

  test('stops cleanly when its parent is gone', async () => {
    const program = start('', { supervised: true })
    await started(program)
    program.disconnect()
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('started\nstopped\n')
  })

  test('stops if its parent was gone before it had loaded', async () => {
    const program = start('slow to load', { supervised: true })
    await eventually(() => expect(program.messages).toEqual(['loading']))
    program.disconnect()
    expect(await program.ended).toEqual({ code: 0, signal: null })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('drains on SIGTERM, until a second signal (%s)', async (second) => {
    const program = start('drains')
    await started(program)
    program.kill('SIGTERM')
    await eventually(() => expect(program.stdout()).toContain('draining\n'))
    expect(program.stdout()).not.toContain('stopped')
    program.kill(second)
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.stdout()).toBe('started\ndraining\nstopped\n')
  })

  test('does not drain on SIGINT', async () => {
    const program = start('drains')
    await started(program)
    program.kill('SIGINT')
    expect(await program.ended).toEqual({ code: 0, signal: null })
  })

  test('that fails to stop prints the reason and exits with 1', async () => {
    const program = start('fails to stop')
    await started(program)
    program.kill('SIGTERM')
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.stderr()).toBe('plantroom fixture: the journal cannot be closed\n')
  })
})
