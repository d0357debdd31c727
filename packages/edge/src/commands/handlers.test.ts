import { COMMAND_NAMES } from '@plantroom/contract/commands'
import { expect, test } from 'vitest'
import type { CommandHandlers } from './command.ts'

const handler = () => {
  throw new Error('no test calls it')
}
const all: CommandHandlers = {
  getTechnicalDataPoints: handler,
  getTechnicalConnectionValues: handler,
  demandResponseOverride: handler,
  demandResponseCancel: handler,
  cancelOverrides: handler,
  cancelOverridesByReqId: handler,
  placeLimit: handler,
  testOutput: handler,
  readEquipment: handler,
  startScan: handler,
  getScan: handler,
  cancelScan: handler,
  closeHold: handler,
  commission: handler,
  checkCommissioning: handler,
  restore: handler,
  getControlState: handler,
}

test('every command of the contract has a handler', () => {
  expect(Object.keys(all).toSorted()).toEqual(COMMAND_NAMES.toSorted())
})

test('a missing or an extra handler does not compile', () => {
  const { commission: _commission, ...others } = all
  // @ts-expect-error commission is missing
  const missing: CommandHandlers = others
  // @ts-expect-error there is no such command
  const extra: CommandHandlers = { ...all, selfDestruct: handler }
  expect([missing, extra]).toHaveLength(2)
})
