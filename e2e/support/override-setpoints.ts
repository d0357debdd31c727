import { type Equipment, word } from './modbus.ts'

/** The setpoints of the battery room in engineering units, converted without our code. */
export type SetpointName = 'Charge power' | 'Charge power limit' | 'Discharge reserve'
export type Setpoints = Record<SetpointName, number>

export const SETPOINTS: readonly SetpointName[] = ['Charge power', 'Charge power limit', 'Discharge reserve']

const INVERTER = 1
const FIRST_REGISTER = 100

/** Reads all setpoints from the equipment in one request. */
export async function readSetpoints(equipment: Equipment): Promise<Setpoints> {
  const registers = await equipment.holding(INVERTER, FIRST_REGISTER, 4)
  return {
    'Charge power': registers.readInt16BE(0) / 10,
    'Charge power limit': registers.readUInt16BE(2) / 10,
    'Discharge reserve': registers.readFloatBE(4),
  }
}

/** Writes setpoints directly to the equipment, as an installer does. */
export async function writeSetpoints(equipment: Equipment, values: Setpoints): Promise<void> {
  const reserve = Buffer.alloc(4)
  reserve.writeFloatBE(values['Discharge reserve'])
  await equipment.writeRegisters(INVERTER, 100, Buffer.from(word(values['Charge power'] * 10)))
  await equipment.writeRegisters(INVERTER, 101, Buffer.from(word(values['Charge power limit'] * 10)))
  await equipment.writeRegisters(INVERTER, 102, reserve)
}
