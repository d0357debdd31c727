import { Envelope, Scaler } from './datapoint.ts'
import { PROTOCOLS } from './protocols.ts'
import {
  anyObject,
  anyOf,
  array,
  boolean,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

/** The address of a value at equipment, as a commissioning file has it. */
export const equipmentAddress = {
  protocol: oneOf(PROTOCOLS),
  settings: anyObject({ description: 'The settings of the connection, as in a commissioning file' }),
  data: anyObject({ description: 'The address of the datapoint, as in a commissioning file' }),
  scaler: optional(Scaler),
}

const exactNumber = (description: string) => described(nullable(anyOf([number(), text()])), description)

/** Where a scan looks: the settings of a connection, except for what is to be found. */
export const scanTarget = {
  protocol: oneOf(PROTOCOLS),
  settings: anyObject({
    description:
      'Those of a connection. `host` may be a network of at most 256 addresses, such as 10.0.0.0/24; `unitIds` of Modbus a list such as 1-32',
  }),
}

/** One reading of an address that may not be commissioned. */
export const EquipmentReading = object({
  raw: exactNumber('What the equipment holds; text of exact digits beyond 2^53; null when nothing was read'),
  value: exactNumber('The same in engineering units, by the scaler'),
  note: described(nullable(text()), 'What the equipment answered instead of a number. The wiring is right'),
  error: described(nullable(text()), 'Why nothing was read'),
})
export interface EquipmentReading extends Static<typeof EquipmentReading> {}

/** The most that one scan returns. */
export const MAX_FOUND_CONNECTIONS = 256
export const MAX_FOUND_DATAPOINTS = 5_000

const warnings = array(text(), { description: 'What a person has to look at, in words' })

/** A datapoint as equipment describes it. */
export const FoundDatapoint = object({
  name: text(),
  accessType: oneOf(['READ', 'READ_WRITE'], {
    description: 'READ_WRITE only where the equipment takes setpoints and says within which bounds',
  }),
  data: anyObject(),
  unit: optional(text()),
  writeInputData: optional(Envelope),
  scaler: optional(Scaler),
  commandable: optional(boolean({ description: 'It takes setpoints, whether its bounds are known or not' })),
  raw: described(nullable(number()), 'What it held when it was found; null when that is not a number'),
  description: optional(text({ description: 'In the words of the equipment' })),
  warnings,
})
export interface FoundDatapoint extends Static<typeof FoundDatapoint> {}

/** Equipment that a scan found, as a connection of a commissioning file. */
export const FoundConnection = object({
  name: text(),
  protocol: oneOf(PROTOCOLS),
  settings: anyObject(),
  datapoints: array(FoundDatapoint),
  description: text({ description: 'What the equipment says about itself, for example maker and model; may be empty' }),
  warnings,
})
export interface FoundConnection extends Static<typeof FoundConnection> {}

export const SCAN_STATES = ['running', 'done', 'cancelled', 'failed'] as const

/** A scan of a controller, and what it has found so far. */
export const EquipmentScan = object({
  id: text(),
  state: oneOf(SCAN_STATES),
  done: integer({ description: 'How many of its steps are over' }),
  of: integer({ description: 'How many steps it has, as far as that is known' }),
  connections: array(FoundConnection),
  warnings,
  error: described(nullable(text()), 'Why it failed, and what to do'),
})
export interface EquipmentScan extends Static<typeof EquipmentScan> {}
