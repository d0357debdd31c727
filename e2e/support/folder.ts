import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './processes.ts'

/** A temporary folder. Disposing it kills the processes that use it and removes it. */
export interface OwnFolder extends AsyncDisposable {
  readonly path: string
}

export function ownFolder(): OwnFolder {
  const path = mkdtempSync(join(tmpdir(), 'plantroom-e2e-'))
  return {
    path,
    async [Symbol.asyncDispose]() {
      await endProcessesOf(path)
      rmSync(path, { recursive: true, force: true })
    },
  }
}
