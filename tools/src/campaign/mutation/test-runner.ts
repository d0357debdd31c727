import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endProcesses, send, treeOf } from '../../process-tree.ts'
import type { WorkCopy } from './work-copy.ts'

export interface TestRequest {
  /** Sources that changed since the last request. */
  readonly changed: readonly string[]
  /** Test files, in the order to run them. */
  readonly tests: readonly string[]
}

export interface TestResult {
  /** The first failure, and the test file it is in if that is known; nothing runs after it. */
  readonly failure?: { readonly message: string; readonly file?: string } | undefined
  /** Milliseconds of each test file that ran. */
  readonly durations: readonly (readonly [file: string, ms: number])[]
}

/** Marks the lines of results: tests may write to the same stream. */
export const RESULT = 'mutation-result '

/** Runs tests in one vitest that stays up, because its start takes longer than most tests. */
export interface TestRunner extends AsyncDisposable {
  /** Resolves with `undefined` when the tests did not end in time; the next request then starts a new vitest. */
  run(request: TestRequest, limitMs: number): Promise<TestResult | undefined>
}

export function createTestRunner(copy: WorkCopy, options: { database: boolean }, signal: AbortSignal): TestRunner {
  let server: ChildProcess | undefined

  const start = () => {
    server = spawn(process.execPath, [join(import.meta.dirname, 'test-server.ts'), copy.folder, copy.config], {
      cwd: copy.folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        ...process.env,
        NO_COLOR: '1',
        PLANTROOM_TEST_RUNS: '1',
        ...(options.database && { PLANTROOM_MUTATION_SETUP: '1' }),
      },
    })
    return server
  }
  const stop = async () => {
    const pid = server?.pid
    server = undefined
    if (pid === undefined) return
    await endProcesses(treeOf(pid))
    send(-pid, 'SIGKILL')
  }

  return {
    async run(request, limitMs) {
      const { stdin, stdout } = server ?? start()
      if (!stdin || !stdout) throw new Error('the test server has no streams')
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
      const lines = createInterface({ input: stdout, signal: limit })
      stdin.write(`${JSON.stringify(request)}\n`)
      try {
        for await (const line of lines) {
          if (line.startsWith(RESULT)) return JSON.parse(line.slice(RESULT.length)) as TestResult
        }
      } finally {
        lines.close()
      }
      // The time is up, or a mutant ended the server.
      await stop()
      return undefined
    },
    [Symbol.asyncDispose]: stop,
  }
}
