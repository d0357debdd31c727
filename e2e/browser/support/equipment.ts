import type { DemoJson } from '../../support/demo.ts'
import { type Equipment, equipmentAt } from '../../support/modbus.ts'
import { readSetpoints, type SetpointName, writeSetpoints } from '../../support/override-setpoints.ts'

function inverterOf(demo: DemoJson): Equipment {
  const endpoint = demo.connections.find((connection) => connection.name === 'Inverter')?.endpoint
  if (endpoint === undefined) throw new Error('the demo has no Inverter')
  return equipmentAt(() => Number(endpoint.split(':')[1]))
}

/** What stands in a register of the demo's battery room, in engineering units, asked of the equipment itself. */
export async function readRegister(demo: DemoJson, name: SetpointName): Promise<number> {
  return (await readSetpoints(inverterOf(demo)))[name]
}

/** As an installer sets it at the equipment itself. */
export async function setRegister(demo: DemoJson, name: SetpointName, value: number): Promise<void> {
  const inverter = inverterOf(demo)
  await writeSetpoints(inverter, { ...(await readSetpoints(inverter)), [name]: value })
}
