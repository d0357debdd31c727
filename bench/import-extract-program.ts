import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { openDiskStore, openScratch } from '@plantroom/cloud/files'
import { createExtractor } from '@plantroom/cloud/packages'
import { openPackage } from '@plantroom/fpl/read-package'
import { readRequests } from '@plantroom/fpl/read-requests'

/** The file handling of an import, without the check before it and without rows. Arguments: package, folder. */
const [path = '', folder = ''] = process.argv.slice(2)
const scratch = await openScratch(join(folder, 'unfinished'))
const files = await openDiskStore({
  folder,
  scratch,
  secret: Buffer.alloc(32),
  baseUrl: () => '',
  clock: systemClock,
})
const { signal } = new AbortController()
const from = performance.now()
using opened = openPackage(path)
const { extract } = createExtractor(opened, 'site', files)
let keeping = Promise.resolve()
await readRequests(opened, async (requests) => {
  const { kept } = await extract(
    requests.map(({ request }) => request),
    signal,
  )
  // As in an import: one batch is flushed while the next is read.
  await keeping
  keeping = kept
})
await keeping
const seconds = (performance.now() - from) / 1000
await scratch.close()
process.send?.({ ready: { seconds } })
