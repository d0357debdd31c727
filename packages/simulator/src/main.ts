import { runProgram } from '@plantroom/base/program'
import { VERSION } from '@plantroom/contract/version'
import { readConfig } from './config.ts'
import { startTemplateSimulator } from './template/start.ts'
import { startSimulator } from './wire.ts'

await runProgram({
  name: 'simulate',
  version: VERSION,
  usage: `usage: plantroom simulate [--template NAME]

A simulated building: a battery inverter (unit 1), a grid meter (unit 2) and a boiler (unit 3) on Modbus TCP, the inverter
of solar panels (unit 4) with SunSpec models, a heat pump on MQTT with a broker of its own, and an air handling unit on
oBIX.

  --template NAME                   equipment with the addresses of a template, instead of the building

  PLANTROOM_HOST                    address to listen on (127.0.0.1)
  PLANTROOM_SIMULATOR_MODBUS_PORT   port of the Modbus TCP server (15020); 0 picks a free one
  PLANTROOM_SIMULATOR_MQTT_PORT     port of the MQTT broker (1884)
  PLANTROOM_SIMULATOR_OBIX_PORT     port of the oBIX server (8085)
  PLANTROOM_SIMULATOR_BACNET_PORT   port of the BACnet/IP device of a template (47808)
  PLANTROOM_SIMULATOR_OBIX_LOGIN    user:password that the oBIX server asks for (none)
  PLANTROOM_SIMULATOR_SEED          seed of the random load, for a repeatable run (1)
  PLANTROOM_SIMULATOR_FAULTS        how the equipment misbehaves, such as modbus:late=1500,mqtt:offline (not at all)
  PLANTROOM_LOG_LEVEL               trace, debug, info, warn, error, fatal or silent (info)

A port that is not set and is taken is replaced by a free one. The files in
packages/simulator/demo commission a device for the battery room, the heat pump and the air handling unit.`,
  option: '--template',
  start: (_configFile, template) =>
    template === undefined ? startSimulator(readConfig()) : startTemplateSimulator(template, readConfig()),
})
