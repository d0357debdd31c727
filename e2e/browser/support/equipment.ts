import type { DemoJson } from '../../support/demo.ts'
import { type Equipment, equipmentAt } from '../../support/modbus.ts'
import { readSetpoints, type SetpointName, writeSetpoints } from '../../support/override-setpoints.ts'

function inverterOf(demo: DemoJson): Equipment {
  const endpoint = demo.connections.find((connection) => connection.name === 'Inverter')?.endpoint
  if (endpoint === undefined) throw new Error('the demo has no Inverter')
  return equipmentAt(() => Number(endpoint.split(':')[1]))
}

/** Reads a register of the demo's battery room from the equipment itself, in engineering units. */
export async function readRegister(demo: DemoJson, name: SetpointName): Promise<number> {
  return (await readSetpoints(inverterOf(demo)))[name]
}

/** Sets a register at the equipment itself, as an installer would. */
export async function setRegister(demo: DemoJson, name: SetpointName, value: number): Promise<void> {
  const inverter = inverterOf(demo)
  await writeSetpoints(inverter, { ...(await readSetpoints(inverter)), [name]: value })
}
