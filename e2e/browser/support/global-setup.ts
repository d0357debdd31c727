import { join } from 'node:path'
import { startDemo } from '../../support/demo.ts'
import { ownFolder } from '../../support/folder.ts'
import { DEMO_FOLDER } from './demo-folder.ts'

/** Starts one demo for all tests, unless the environment names a running one. Returns a function that stops it. */
// biome-ignore lint/style/noDefaultExport: Playwright requires it.
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (process.env[DEMO_FOLDER] !== undefined) return async () => {}
  await using cleanup = new AsyncDisposableStack()
  const own = cleanup.use(ownFolder())
  const folder = join(own.path, 'data')
  // A VTN of a test is on this machine.
  const demo = await startDemo(folder, { PLANTROOM_WEBHOOK_PRIVATE: '127.0.0.1' })
  cleanup.defer(async () => {
    demo.interrupt()
    await demo.ended
  })
  // Workers start later and inherit it.
  process.env[DEMO_FOLDER] = folder
  const kept = cleanup.move()
  return () => kept.disposeAsync()
}
