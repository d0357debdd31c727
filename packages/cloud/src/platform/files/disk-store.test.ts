import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { openDiskRig } from './testing/disk-rig.ts'
import { fileStoreContract } from './testing/file-store-contract.ts'

fileStoreContract('on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-files-'))
  const clock = createManualClock()
  const rig = await openDiskRig(folder, { clock })
  return {
    files: rig.files,
    passTime: clock.advance,
    async close() {
      await rig.close()
      rmSync(folder, { recursive: true })
    },
  }
})
