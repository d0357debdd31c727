import { existsSync, readdirSync, readlinkSync } from 'node:fs'

const LIST = '/proc/self/fd'

/** True where the system lists open files. */
export const canListOpenFiles = existsSync(LIST)

/** Lists the files below a folder that this process has open. */
export function openFilesIn(folder: string): string[] {
  return readdirSync(LIST)
    .map(target)
    .filter((path) => path.startsWith(folder))
}

function target(descriptor: string): string {
  try {
    return readlinkSync(`${LIST}/${descriptor}`)
  } catch {
    // This was the descriptor of the listing itself.
    return ''
  }
}
