import { createLog } from '@plantroom/base/log'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, pingDatabase } from '../db/database.ts'
import { reasonFor } from './job.ts'

test('an attempt that lost the database says so', async () => {
  const db = openDatabase({ connectionString: 'postgresql://127.0.0.1:9/none' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  const lost = await pingDatabase(db).catch((error: unknown) => error)
  expect(reasonFor(lost)).toBe('the database could not be reached')
  expect(reasonFor(new Error('something else'))).toBe('an unexpected error occurred')
})
