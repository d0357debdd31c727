import type { Named } from '../../names.ts'
import { note, printable } from '../../output.ts'

/** So many devices are read at a time. */
const AT_ONCE = 8

/** Reads something of many devices. A failure is noted, because it says nothing about the other devices. */
export async function readEveryDevice<Result>(
  devices: readonly Named[],
  json: boolean | undefined,
  read: (device: Named) => Promise<Result>,
): Promise<Result[]> {
  const found: (Result | undefined)[] = []
  const next = devices.entries()
  const readSome = async () => {
    for (const [index, device] of next) {
      found[index] = await read(device).catch((error: Error) => {
        note(json, `${printable(device.name)}: ${error.message}`)
        return undefined
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, devices.length) }, readSome))
  return found.filter((result) => result !== undefined)
}
