import { describeDriver } from '../testing/driver-contract.ts'
import { createModbusProtocol, createRtuOverTcpProtocol } from './driver.ts'
import { MBAP, RTU } from './testing/peer-framing.ts'
import { startSocketRig } from './testing/socket-rig.ts'

describeDriver('Modbus TCP', () => startSocketRig(createModbusProtocol, MBAP))
describeDriver('Modbus RTU over TCP', () => startSocketRig(createRtuOverTcpProtocol, RTU))
