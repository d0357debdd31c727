import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'
import { makeToken, randomText } from './secrets.ts'

/** The operator's token: the configured one, or the one stored in the data folder. */
export async function loadAdminToken(folder: string, configured: string | undefined): Promise<string> {
  return configured ?? keptSecret(join(folder, 'admin-token'), () => `pla_${randomText(40)}`)
}

/** The token of the first setup. Anyone who can read the log or the data folder has it. */
export interface SetupToken {
  /** Creates the token if there is none. */
  load(): Promise<string>
  /** Deletes the token once setup is complete. */
  forget(): Promise<void>
}

export function createSetupToken(folder: string): SetupToken {
  const path = join(folder, 'setup-token')
  return {
    load: () => keptSecret(path, makeToken),
    forget: () => rm(path, { force: true }),
  }
}
