import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runCommand } from './run-command.ts'

const never = new AbortController().signal
const shell = (script: string, signal = never) => runCommand(['sh', '-c', script], { cwd: tmpdir(), signal })

describe('runCommand', () => {
  test('returns the exit code and the output', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({ code: 3, output: 'out\nerr\n' })
  })

  test('reports a program that does not start', async () => {
    const ended = await runCommand(['no-such-program'], { cwd: tmpdir(), signal: never })
    expect(ended.code).toBeNull()
    expect(ended.output).toContain('no-such-program')
  })

  test('kills processes that the program left running', async () => {
    // The sleeping process keeps the output open: while it runs, this does not resolve.
    expect((await shell('sleep 600 &')).code).toBe(0)
  })

  test('ends the children of the program when it is aborted', async () => {
    const abort = new AbortController()
    const ended = shell('sleep 600 & wait', abort.signal)
    abort.abort()
    expect((await ended).code).toBeNull()
  })

  test.runIf(process.platform === 'linux')('ends descendants that moved to another session', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plantroom-tools-'))
    const abort = new AbortController()
    // The process that left keeps the output open: while it runs, this does not resolve.
    const ended = shell(`setsid sh -c 'touch ${folder}/left; exec sleep 600' & wait`, abort.signal)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['left']), 10_000)
    abort.abort()
    expect((await ended).code).toBeNull()
    rmSync(folder, { recursive: true })
  })

  test('does not start a program after it was aborted', async () => {
    expect(await shell('echo hello', AbortSignal.abort())).toEqual({ code: null, output: '' })
  })
})
