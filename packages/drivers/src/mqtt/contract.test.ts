import { describe } from 'vitest'
import { describeDriver } from '../testing/driver-contract.ts'
import { BROKERS } from './testing/brokers.ts'
import { startRig } from './testing/rig.ts'

for (const kind of BROKERS) {
  describe.skipIf(kind.missing)(`through ${kind.name}`, () => {
    const shape = kind.name === 'aedes' ? 'plain' : 'json'
    describeDriver(`mqtt, ${shape}`, () => startRig(kind, shape))
  })
}
