import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const SCRIPT = fileURLToPath(new URL('bacpypes_device.py', import.meta.url))
const VERSION = '0.0.110'

const run = promisify(execFile)

/** Installs bacpypes3 in a folder of its own. Returns its Python; `undefined` where the registry cannot be reached. */
export async function installBacpypes(folder: string): Promise<string | undefined> {
  try {
    await run('python3', ['-m', 'venv', folder])
    const python = join(folder, 'bin', 'python')
    await run(python, ['-m', 'pip', 'install', '--quiet', `bacpypes3==${VERSION}`])
    return python
  } catch {
    return undefined
  }
}

export interface BacpypesDevice {
  port: number
  ask(request: object): Promise<Record<string, unknown>>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Starts a device by bacpypes3: see the script. */
export async function startBacpypes(python: string, port = 0): Promise<BacpypesDevice> {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (request: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the device of bacpypes3 has ended')
    return JSON.parse(value)
  }
  const ready = await ask({ port })
  return {
    port: Number(ready.port),
    ask,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
