import { spawn } from 'node:child_process'
import { environment, PLANTROOM, ROOT, type Settings } from './environment.ts'
import { PATIENCE_MS } from './eventually.ts'

/** One of our commands in a terminal of 80 columns. */
export interface Terminal {
  /** Everything written to the terminal so far. */
  screen(): string
  type(keys: string): void
  /** Exit code; 128 or more for a signal, as in a shell. */
  readonly ended: Promise<number | null>
}

export function inTerminal(args: readonly string[], settings: Settings = {}): Terminal {
  const line = [PLANTROOM, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols 80; exec ${line}`, '/dev/null'], {
    cwd: ROOT,
    env: { ...environment(settings), TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let drawn = ''
  child.stdout.on('data', (chunk: Buffer) => {
    drawn += chunk.toString()
  })
  return {
    screen: () => drawn,
    type: (keys) => child.stdin.write(keys),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    }),
  }
}
