import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { ownFolder } from './folder.ts'
import { startPart } from './part.ts'
import { buildForTests } from './programs.ts'
import { run } from './run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: string
  }
}

/** Lets a cloud create and migrate its database once, for the tests to copy: that saves each cloud half of its start. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildForTests()
  const folder = ownFolder()
  const settings = { PLANTROOM_DATA: folder.path, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' }
  const cloud = await startPart<object>('cloud', () => settings)
  await cloud.stop()
  project.provide('databaseTemplate', folder.path)
  return async () => void (await folder[Symbol.asyncDispose]())
}

/** Puts a copy of the migrated database into the data folder of a cloud that has not started yet. */
export async function copyDatabase(folder: string): Promise<void> {
  mkdirSync(join(folder, 'postgres'), { mode: 0o711 })
  const data = join(inject('databaseTemplate'), 'postgres/data')
  // With its owner: as root, the server runs as another user.
  const { code, stderr } = await run('cp', ['-a', data, join(folder, 'postgres/data')])
  if (code !== 0) throw new Error(stderr)
}
