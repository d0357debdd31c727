import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PATIENCE_MS = 90_000
const END = '@@the step has ended: '

export interface Ran {
  output: string
  /** The command that failed, if any did. */
  failed: string | undefined
}

/** A shell that stays open, so that variables and functions of one step are there in the next. */
export interface Shell extends AsyncDisposable {
  run(script: string): Promise<Ran>
}

export function openShell(folder: string, env: NodeJS.ProcessEnv): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  let output = ''
  bash.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = once(bash, 'exit')
  bash.stdin.write(`exec 2>&1\nset -E\ntrap 'FAILED=$BASH_COMMAND' ERR\n`)
  return {
    async run(script) {
      output = ''
      const path = join(folder, 'step.sh')
      writeFileSync(path, script)
      bash.stdin.write(`FAILED=\n. ${path} </dev/null\nprintf '\\n%s%s\\n' '${END}' "$FAILED"\n`)
      const late = setTimeout(() => process.kill(-(bash.pid ?? 0), 'SIGKILL'), PATIENCE_MS)
      while (!output.includes(END) && bash.exitCode === null && bash.signalCode === null) {
        await Promise.race([once(bash.stdout, 'data'), ended])
      }
      clearTimeout(late)
      const [text = '', failed] = output.split(`\n${END}`)
      return { output: text, failed: failed === undefined ? 'the end of the shell' : failed.trim() || undefined }
    },
    async [Symbol.asyncDispose]() {
      bash.stdin.end()
      if (bash.exitCode === null && bash.signalCode === null) process.kill(-(bash.pid ?? 0), 'SIGKILL')
      await ended
    },
  }
}
