import { mkdirSync } from 'node:fs'
import { SerialPort } from 'serialport'
import { type PtyPair, startPtyPair } from './pty-pair.ts'

/** A line with several ends: what one end sends arrives at all others, as on two wires. */
export interface SerialBus extends AsyncDisposable {
  /** The paths of the ends. */
  readonly ends: readonly string[]
}

/** @param folder for the terminals */
export async function startSerialBus(folder: string, count: number): Promise<SerialBus> {
  const pairs: PtyPair[] = []
  const ports: SerialPort[] = []
  for (let index = 0; index < count; index += 1) {
    mkdirSync(`${folder}/${index}`)
    const pair = await startPtyPair(`${folder}/${index}`)
    const port = new SerialPort({ path: pair.theirs, baudRate: 19_200 })
    port.on('error', () => {})
    port.on('data', (chunk: Buffer) => {
      for (const other of ports) if (other !== port && other.isOpen) other.write(chunk)
    })
    pairs.push(pair)
    ports.push(port)
  }
  return {
    ends: pairs.map(({ ours }) => ours),
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) await pair.stop()
    },
  }
}
