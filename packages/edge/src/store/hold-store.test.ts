import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'
import { atOnce } from '../testing/at-once.ts'
import { createHoldStore } from './hold-store.ts'
import { openJournal } from './journal.ts'

test('there is one document a datapoint: the last, also after a restart, until it is removed', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder)
  const store = createHoldStore<{ by: string }>(journal)
  store.put(atOnce, 'power', { by: 'deviation' })
  store.put(atOnce, 'valve', { by: 'peak-shaving' })
  store.put(atOnce, 'power', { by: 'demand-response' })
  store.put(atOnce, 'gone', { by: 'nobody' })
  store.remove(atOnce, 'gone')
  store.remove(atOnce, 'never there')
  journal.close()

  const again = openJournal(folder)
  expect(createHoldStore<{ by: string }>(again).load()).toEqual([
    { datapointId: 'power', document: { by: 'demand-response' } },
    { datapointId: 'valve', document: { by: 'peak-shaving' } },
  ])
  again.close()
})
