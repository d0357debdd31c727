import { SCANNED_PROTOCOLS } from '@plantroom/contract/scan-target'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createProtocols } from './protocols.ts'

test('the protocols that pages offer for a scan are those that can scan', () => {
  const able = Object.entries(createProtocols(createManualClock())).filter(([, { discover }]) => discover)
  expect(able.map(([name]) => name).toSorted()).toEqual(SCANNED_PROTOCOLS.toSorted())
})
