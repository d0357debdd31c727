import { systemClock } from '@plantroom/base/clock'
import { createLog, logOutput } from '@plantroom/base/log'
import type { Running } from '@plantroom/base/program'
import { readTemplate, templateNames } from '@plantroom/base/template-folder'
import { read } from '@plantroom/contract/read'
import { shown } from '@plantroom/contract/shown'
import { Template } from '@plantroom/contract/templates'
import type { Config } from '../config.ts'
import { listenOn } from '../listen.ts'
import { type SimulatedProtocol, simulatedProtocolOf, startSimulatedTemplate } from './simulate-template.ts'

/** Starts equipment with the addresses of a template, and prints how to commission it. */
export async function startTemplateSimulator(name: string, config: Config): Promise<Running> {
  const { host, logLevel, logStyle } = config
  if (!(await templateNames()).includes(name)) {
    throw new Error(`there is no template ${shown(name)}; see plantroom template list`)
  }
  const template = read(Template, await readTemplate(name))
  const log = createLog('simulator', logLevel, logOutput(logStyle))
  const equipment = await listenOn({
    host,
    ...portOf(simulatedProtocolOf(template), config),
    start: (port) => startSimulatedTemplate(template, { host, port, clock: systemClock, log }),
  })
  const { answers } = equipment
  const set = Object.entries(answers).map(([key, value]) => `--set ${key}=${value}`)
  process.stdout.write(`simulated ${template.title}: plantroom commission --from-template ${name} ${set.join(' ')}\n`)
  return { ready: { answers }, stop: () => equipment.stop() }
}

function portOf(protocol: SimulatedProtocol, { modbusPort, mqttPort, bacnetPort }: Config) {
  switch (protocol) {
    case 'mqtt':
      return { name: 'MQTT', setting: 'PLANTROOM_SIMULATOR_MQTT_PORT', set: mqttPort, usual: 1884 }
    case 'bacnet-ip':
      return { name: 'BACnet/IP', setting: 'PLANTROOM_SIMULATOR_BACNET_PORT', set: bacnetPort, usual: 47_808 }
    default:
      return { name: 'Modbus TCP', setting: 'PLANTROOM_SIMULATOR_MODBUS_PORT', set: modbusPort, usual: 15_020 }
  }
}
