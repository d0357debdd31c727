import { open } from 'node:fs/promises'
import { unreadable } from '../sources/csv/read-table.ts'

/** Returns the first character of a file that is no space, without a byte-order mark; an empty text for an empty file. */
export async function firstCharacter(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    const text = buffer.subarray(0, bytesRead).toString('latin1')
    return (
      text
        .replaceAll('\0', '')
        .replace(/^[^\x20-\x7e]+/, '')
        .trimStart()[0] ?? ''
    )
  } catch (error) {
    throw unreadable(path, error)
  }
}
