import { startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'

const WORKER = new URL('../worker.ts', import.meta.url)

describe('plantroom worker', () => {
  test('starts on an empty database and stops on SIGTERM', async () => {
    const env = { PLANTROOM_DATA: temporaryFolder(), DATABASE_URL: await createTestDatabase() }
    const worker = startChildProgram(WORKER, { env, supervised: true })
    await eventually(() => expect(worker.messages).toEqual([{ ready: {} }]), 20_000)
    worker.kill('SIGTERM')
    expect(await worker.ended).toEqual({ code: 0, signal: null })
  })

  test('logs that it waits for the embedded database, and can be stopped meanwhile', async () => {
    const worker = startChildProgram(WORKER, { env: { PLANTROOM_DATA: temporaryFolder(), DATABASE_URL: '' } })
    await eventually(() => expect(worker.stdout()).toContain('waiting for the database'))
    worker.kill('SIGTERM')
    expect(await worker.ended).toEqual({ code: 0, signal: null })
  })

  test('reports in one line that there is no database at DATABASE_URL', async () => {
    const env = { PLANTROOM_DATA: temporaryFolder(), DATABASE_URL: 'postgresql://somebody:secret@127.0.0.1:9/none' }
    const worker = startChildProgram(WORKER, { env })
    expect(await worker.ended).toEqual({ code: 1, signal: null })
    expect(worker.stderr()).toMatch(/^plantroom worker: the database at DATABASE_URL cannot be used: .*\n$/)
    expect(worker.stderr()).not.toContain('secret')
  })
})
