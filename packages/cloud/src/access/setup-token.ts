import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'
import { makeToken } from './session-cookie.ts'

/** What whoever may read the log or the data folder proves it with, as long as nobody can sign in. */
export interface SetupToken {
  load(): Promise<string>
  /** It has had its day. */
  forget(): Promise<void>
}

export function createSetupToken(folder: string): SetupToken {
  const path = join(folder, 'setup-token')
  return {
    load: () => keptSecret(path, makeToken),
    forget: () => rm(path, { force: true }),
  }
}
