import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { createAccount } from './account.ts'

test('an account waits for its file as often as it is full, and leaves no listeners on it', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  await using account = createAccount(join(temporaryFolder(), 'account.csv'))
  for (let count = 0; count < 12; count += 1) {
    account.add(`row ${count}`, 'Colour', 'x'.repeat(100_000), { code: 'left-out' })
    await account.drained()
  }
  await account.commit()
  expect(warnings).toEqual([])
})
