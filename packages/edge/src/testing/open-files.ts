import { existsSync, readdirSync, readlinkSync } from 'node:fs'

const LIST = '/proc/self/fd'

/** Only where the system tells. */
export const canListOpenFiles = existsSync(LIST)

/** What this process holds open below a folder. */
export function openFilesIn(folder: string): string[] {
  return readdirSync(LIST)
    .map(target)
    .filter((path) => path.startsWith(folder))
}

function target(descriptor: string): string {
  try {
    return readlinkSync(`${LIST}/${descriptor}`)
  } catch {
    // It was the one that the list itself was read with.
    return ''
  }
}
