import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installPython } from '../../testing/install-python.ts'

const SCRIPT = fileURLToPath(new URL('bacpypes_device.py', import.meta.url))
const VERSION = '0.0.110'

/** Installs bacpypes3 in a folder of its own. Returns its Python; `undefined` where the registry cannot be reached. */
export const installBacpypes = (folder: string) => installPython(folder, `bacpypes3==${VERSION}`)

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
