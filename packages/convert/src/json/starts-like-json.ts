import { open } from 'node:fs/promises'
import { unreadable } from '../sources/csv/read-table.ts'

/**
 * Tells JSON from tables by the first characters of a file. Markup and empty files count as JSON, whose reader has a message
 * for error pages and for nothing.
 */
export async function startsLikeJson(path: string): Promise<boolean> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0)
    const start = buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart()
    return start === '' || /^[[{<]/.test(start)
  } catch (error) {
    throw unreadable(path, error)
  }
}
