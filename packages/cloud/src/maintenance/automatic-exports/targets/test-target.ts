import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TargetTest } from '@plantroom/contract/automatic-exports'
import { type Target, TargetFailure } from './target.ts'

const CONTENT = 'This is a test file of Plantroom. It can be deleted.\n'

/** Writes, reads and deletes a small file, and says which step failed and why. */
export async function testTarget(target: Target, signal: AbortSignal): Promise<TargetTest> {
  const name = `plantroom-test-${randomBytes(8).toString('hex')}.txt`
  const bytes = Buffer.from(CONTENT)
  const file = { size: bytes.length, open: async () => Readable.from([bytes]) }
  const steps = {
    write: () => target.put(name, file, { signal, progress() {}, attempt: 1 }),
    async read() {
      if (bytes.equals(await target.read(name, signal))) return
      throw new TargetFailure('the target returned another content than was written: check the server')
    },
    delete: () => target.remove(name, signal),
  }
  let isWritten = false
  for (const step of ['write', 'read', 'delete'] as const) {
    try {
      await steps[step]()
      isWritten ||= step === 'write'
    } catch (error) {
      if (!(error instanceof TargetFailure) && !signal.aborted) throw error
      if (isWritten && step === 'read') await target.remove(name, signal).catch(() => {})
      const isUnreachable = error instanceof TargetFailure ? error.isUnreachable : true
      return { ok: false, failedStep: isUnreachable ? 'connect' : step, message: (error as Error).message }
    }
  }
  return { ok: true, failedStep: null, message: null }
}
