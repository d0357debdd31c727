import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runCommand } from './run-command.ts'

const never = new AbortController().signal
const shell = (script: string, signal = never) => runCommand(['sh', '-c', script], { cwd: tmpdir(), signal })

describe('a command', () => {
  test('tells its exit code and all that it wrote', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({ code: 3, output: 'out\nerr\n' })
  })

  test('that cannot be started says so', async () => {
    const ended = await runCommand(['no-such-program'], { cwd: tmpdir(), signal: never })
    expect(ended.code).toBeNull()
    expect(ended.output).toContain('no-such-program')
  })

  test('takes what it left running with it', async () => {
    // While it lived, the sleeper would hold the output open and this would not resolve.
    expect((await shell('sleep 600 &')).code).toBe(0)
  })

  test('takes its children with it when it is aborted', async () => {
    const abort = new AbortController()
    const ended = shell('sleep 600 & wait', abort.signal)
    abort.abort()
    expect((await ended).code).toBeNull()
  })

  test.runIf(process.platform === 'linux')('takes those too that have left for a session of their own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plantroom-tools-'))
    const abort = new AbortController()
    // While it lived, the one that left would hold the output open and this would not resolve.
    const ended = shell(`setsid sh -c 'touch ${folder}/left; exec sleep 600' & wait`, abort.signal)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['left']), 10_000)
    abort.abort()
    expect((await ended).code).toBeNull()
    rmSync(folder, { recursive: true })
  })

  test('is not started once it is aborted', async () => {
    expect(await shell('echo hello', AbortSignal.abort())).toEqual({ code: null, output: '' })
  })
})
