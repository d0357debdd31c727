import { createAskedThread } from '@plantroom/base/asked-thread'

const THREAD = new URL('./hash-thread.ts', import.meta.url)

/** How passwords are hashed. */
export interface Hashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/** With a hash: whether the password is the one. */
export interface HashQuestion {
  password: string
  hash?: string
}

/** Hashes in a thread of its own: strangers who try passwords get what the others leave of a core. */
export function createHashing(): Hashing {
  const ask = createAskedThread<HashQuestion, string | boolean>(THREAD, 'hashes passwords')
  return {
    hash: async (password) => String(await ask({ password })),
    verify: async (hash, password) => (await ask({ password, hash })) === true,
  }
}
