import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { createHoldStore } from './hold-store.ts'
import { openJournal } from './journal.ts'

test('stores the latest document per datapoint, even across a restart, until it is removed', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder)
  const store = createHoldStore<{ by: string }>(journal)
  store.put(immediateChange, 'power', { by: 'deviation' })
  store.put(immediateChange, 'valve', { by: 'peak-shaving' })
  store.put(immediateChange, 'power', { by: 'demand-response' })
  store.put(immediateChange, 'gone', { by: 'plain' })
  store.remove(immediateChange, 'gone')
  store.remove(immediateChange, 'never there')
  journal.close()

  const again = openJournal(folder)
  expect(createHoldStore<{ by: string }>(again).load()).toEqual([
    { datapointId: 'power', document: { by: 'demand-response' } },
    { datapointId: 'valve', document: { by: 'peak-shaving' } },
  ])
  again.close()
})
