import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { installJava } from '../../testing/install-java.ts'
import { installPython } from '../../testing/install-python.ts'

/** A BACnet stack of others, of which a script here makes a device: see bacpypes_device.py. */
export interface ThirdParty {
  /** The name of the device, too. */
  name: string
  /** Installs it in a folder of its own. Returns the command of its device; `undefined` where it cannot be installed. */
  install(folder: string): Promise<readonly string[] | undefined>
}

const scriptAt = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const inPython = (name: string, requirement: string, script: string): ThirdParty => ({
  name,
  async install(folder) {
    const python = await installPython(join(folder, name), requirement)
    return python === undefined ? undefined : [python, scriptAt(script)]
  },
})

export const THIRD_PARTIES: readonly ThirdParty[] = [
  inPython('bacpypes3', 'bacpypes3==0.0.110', 'bacpypes_device.py'),
  inPython('BAC0', 'BAC0==2026.7.25', 'bac0_device.py'),
  {
    name: 'BACnet4J',
    async install(folder) {
      // BACnet4J itself is in no public registry, but it is contained in a wrapper that is.
      const java = await installJava(join(folder, 'BACnet4J'), [
        'org.code-house.bacnet4j:api:1.3.0-beta1',
        'org.slf4j:slf4j-nop:1.7.36',
      ])
      return java && [...java, scriptAt('Bacnet4jDevice.java')]
    },
  },
]

export interface ThirdPartyDevice {
  port: number
  ask(request: object): Promise<Record<string, unknown>>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Starts a device by its command. */
export async function startThirdParty([program = '', ...args]: readonly string[], port = 0): Promise<ThirdPartyDevice> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (request: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ${args.join(' ')} has ended`)
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
