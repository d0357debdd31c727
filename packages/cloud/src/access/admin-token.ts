import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'
import { randomText } from './api-key.ts'

/** The operator's token: the one that was set, else the one that the data folder keeps. */
export async function loadAdminToken(folder: string, configured: string | undefined): Promise<string> {
  return configured ?? keptSecret(join(folder, 'admin-token'), () => `pla_${randomText(40)}`)
}
