import { runProgram } from '@plantroom/base/program'
import { readConfig } from './config.ts'
import { startSimulator } from './wire.ts'

await runProgram({
  name: 'simulate',
  usage: `usage: plantroom simulate

A simulated building: a battery inverter (unit 1) and a grid meter (unit 2) on Modbus TCP.

  PLANTROOM_HOST                    address to listen on (127.0.0.1)
  PLANTROOM_SIMULATOR_MODBUS_PORT   port of the Modbus TCP server (15020); 0 picks a free one
  PLANTROOM_SIMULATOR_SEED          seed of the random load, for a repeatable run (1)
  PLANTROOM_LOG_LEVEL               trace, debug, info, warn, error, fatal or silent (info)

packages/simulator/demo/battery-room.yaml commissions a device for it.`,
  start: () => startSimulator(readConfig()),
})
