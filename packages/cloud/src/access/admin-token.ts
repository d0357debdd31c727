import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomText } from './api-key.ts'

/** The operator's token: the one that was set, else the one in the data folder, else a new one, readable by its owner only. */
export async function loadAdminToken(folder: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(folder, 'admin-token')
  await mkdir(folder, { recursive: true })
  try {
    const file = await open(path, 'wx', 0o600)
    const token = `pla_${randomText(40)}`
    await file.writeFile(`${token}\n`)
    await file.sync()
    await file.close()
    return token
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  }
}
