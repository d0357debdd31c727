import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './processes.ts'

/** A folder of the test's own. Disposed, nothing runs on it any more and it is gone. */
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
