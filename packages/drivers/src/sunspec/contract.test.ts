import { describeDriver } from '../testing/driver-contract.ts'
import { startSunspecRig } from './testing/sunspec-rig.ts'

describeDriver('SunSpec', startSunspecRig)
