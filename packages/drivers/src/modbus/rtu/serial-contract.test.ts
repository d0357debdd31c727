import { describe } from 'vitest'
import { describeDriver } from '../../testing/driver-contract.ts'
import { withoutSocat } from '../testing/pty-pair.ts'
import { startSerialRig } from '../testing/serial-rig.ts'

describe.skipIf(withoutSocat)('on a serial line', () => {
  describeDriver('Modbus RTU', startSerialRig)
})
