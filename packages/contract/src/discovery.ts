import { Scaler } from './datapoint.ts'
import { PROTOCOLS } from './protocols.ts'
import { anyObject, anyOf, described, nullable, number, object, oneOf, optional, type Static, text } from './schema.ts'

/** The address of a value at equipment, as a commissioning file has it. */
export const equipmentAddress = {
  protocol: oneOf(PROTOCOLS),
  settings: anyObject({ description: 'The settings of the connection, as in a commissioning file' }),
  data: anyObject({ description: 'The address of the datapoint, as in a commissioning file' }),
  scaler: optional(Scaler),
}

const exactNumber = (description: string) => described(nullable(anyOf([number(), text()])), description)

/** One reading of an address that may not be commissioned. */
export const EquipmentReading = object({
  raw: exactNumber('What the equipment holds; text of exact digits beyond 2^53; null when nothing was read'),
  value: exactNumber('The same in engineering units, by the scaler'),
  note: described(nullable(text()), 'What the equipment answered instead of a number. The wiring is right'),
  error: described(nullable(text()), 'Why nothing was read'),
})
export interface EquipmentReading extends Static<typeof EquipmentReading> {}
