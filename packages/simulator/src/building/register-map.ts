import { BATTERY, type Battery, chargePercent, isAtReserve, isFull, wantedKw } from './battery.ts'
import { BOILER, type Boiler } from './boiler.ts'
import { type Building, loadKw } from './building.ts'

/**
 * The register map. All registers can be read as holding registers (function 3) and as input registers (4). Those with
 * `write` can be written (6, 16), whole values only. Every other address is refused with exception 2, an invalid value
 * with exception 3. Values of several registers have the high word first, unless noted otherwise.
 *
 * | unit | address | type    | raw unit | what                                                     |
 * |------|---------|---------|----------|----------------------------------------------------------|
 * | 1    | 100     | int16   | 0.1 kW   | charge power setpoint, written; below 0 discharges       |
 * | 1    | 101     | uint16  | 0.1 kW   | charge power limit, written; 0 to 500                    |
 * | 1    | 102     | float32 | %        | discharge reserve, written; 0 to 100                     |
 * | 1    | 200     | int16   | 0.1 kW   | measured power                                           |
 * | 1    | 201     | uint16  | 0.1 %    | state of charge                                          |
 * | 1    | 202     | int16   | 0.1 °C   | temperature                                              |
 * | 1    | 203     | uint16  | bits     | status: 0 enabled, 1 charging, 2 discharging, 3 full, 4 at reserve, 5 setpoint held back |
 * | 1    | 204     | uint64  | Wh       | lifetime energy, in and out                              |
 * | 1    | 208     | float32 | V        | DC voltage                                               |
 * | 1    | coil 0  | bit     |          | enabled, written                                         |
 * | 1    | discrete 0 to 3 | bit |      | charging, discharging, full, at reserve                  |
 * | 2    | 0       | int32   | W        | grid power; below 0 feeds in                             |
 * | 2    | 2       | float32 | V        | voltage                                                  |
 * | 2    | 4       | uint16  | 0.01 Hz  | frequency                                                |
 * | 2    | 5       | none    |          | a hole, as in real meters                                |
 * | 2    | 6       | uint32  | 0.1 kWh  | imported energy                                          |
 * | 2    | 8       | uint32  | 0.1 kWh  | exported energy                                          |
 * | 2    | 10      | float32 | kW       | load without the battery, low word first                 |
 * | 2    | 12      | float32 | kWh      | imported energy                                          |
 * | 2    | 14      | int32   | W        | power of the solar panels, measured at their own cable   |
 * | 3    | 0       | int16   | 0.1 °C   | setpoint of the boiler's water, written; 400 to 750      |
 * | 3    | 1       | int16   | 0.1 °C   | temperature of its water                                 |
 * | 3    | 2       | uint16  | W        | power of the boiler                                      |
 * | 3    | coil 0  | bit     |          | relay of the boiler, written; its thermostat decides when it heats |
 * | 3    | discrete 0 | bit  |          | heating                                                  |
 *
 * The inverter of the solar panels (unit 4) has SunSpec models instead: see `solar-inverter.ts`.
 *
 * Of the grid meter (unit 2), all registers but those of the load and of the solar panels show what the meter shows, which
 * faults may make late, wrong or old.
 */
export interface UnitMap {
  unitId: number
  registers: readonly Register[]
  coils: readonly Bit[]
  discretes: readonly Bit[]
}

export interface Register {
  address: number
  type: RegisterType
  lowWordFirst?: true
  read(building: Building): number
  /** Returns the building with the raw value applied; `undefined` if the value is invalid. */
  write?(building: Building, raw: number): Building | undefined
}

export interface Bit {
  address: number
  read(building: Building): boolean
  write?(building: Building, on: boolean): Building
}

const withBattery = (building: Building, change: Partial<Battery>): Building => ({
  ...building,
  battery: { ...building.battery, ...change },
})

const isCharging = ({ powerKw }: Battery) => powerKw > 0
const isDischarging = ({ powerKw }: Battery) => powerKw < 0

const INVERTER: UnitMap = {
  unitId: 1,
  registers: [
    {
      address: 100,
      type: 'int16',
      read: ({ battery }) => battery.setpointKw * 10,
      write: (building, raw) => withBattery(building, { setpointKw: raw / 10 }),
    },
    {
      address: 101,
      type: 'uint16',
      read: ({ battery }) => battery.chargeLimitKw * 10,
      write: (building, raw) =>
        raw <= BATTERY.ratedPowerKw * 10 ? withBattery(building, { chargeLimitKw: raw / 10 }) : undefined,
    },
    {
      address: 102,
      type: 'float32',
      read: ({ battery }) => battery.reservePercent,
      write: (building, raw) => (raw >= 0 && raw <= 100 ? withBattery(building, { reservePercent: raw }) : undefined),
    },
    { address: 200, type: 'int16', read: ({ battery }) => battery.powerKw * 10 },
    { address: 201, type: 'uint16', read: ({ battery }) => chargePercent(battery) * 10 },
    { address: 202, type: 'int16', read: ({ battery }) => battery.temperatureC * 10 },
    { address: 203, type: 'uint16', read: ({ battery }) => statusWord(battery) },
    { address: 204, type: 'uint64', read: ({ battery }) => battery.throughputWh },
    {
      address: 208,
      type: 'float32',
      read: ({ battery }) => 650 + chargePercent(battery) + battery.powerKw * 0.2,
    },
  ],
  coils: [
    {
      address: 0,
      read: ({ battery }) => battery.enabled,
      write: (building, enabled) => withBattery(building, { enabled }),
    },
  ],
  discretes: [isCharging, isDischarging, isFull, isAtReserve].map((test, address) => ({
    address,
    read: ({ battery }) => test(battery),
  })),
}

const GRID_METER: UnitMap = {
  unitId: 2,
  registers: [
    { address: 0, type: 'int32', read: ({ meter: { shown } }) => shown.powerKw * 1000 },
    { address: 2, type: 'float32', read: ({ meter: { shown } }) => shown.voltage },
    { address: 4, type: 'uint16', read: ({ meter: { shown } }) => shown.frequencyHz * 100 },
    { address: 6, type: 'uint32', read: ({ meter: { shown } }) => shown.importedKwh * 10 },
    { address: 8, type: 'uint32', read: ({ meter: { shown } }) => shown.exportedKwh * 10 },
    { address: 10, type: 'float32', lowWordFirst: true, read: loadKw },
    { address: 12, type: 'float32', read: ({ meter: { shown } }) => shown.importedKwh },
    { address: 14, type: 'int32', read: ({ solar }) => solar.powerKw * 1000 },
  ],
  coils: [],
  discretes: [],
}

const withBoiler = (building: Building, change: Partial<Boiler>): Building => ({
  ...building,
  boiler: { ...building.boiler, ...change },
})

const BOILER_UNIT: UnitMap = {
  unitId: 3,
  registers: [
    {
      address: 0,
      type: 'int16',
      read: ({ boiler }) => boiler.setpointC * 10,
      write: (building, raw) =>
        raw >= BOILER.minSetpointC * 10 && raw <= BOILER.maxSetpointC * 10
          ? withBoiler(building, { setpointC: raw / 10 })
          : undefined,
    },
    { address: 1, type: 'int16', read: ({ boiler }) => boiler.waterC * 10 },
    { address: 2, type: 'uint16', read: ({ boiler }) => boiler.powerKw * 1000 },
  ],
  coils: [
    {
      address: 0,
      read: ({ boiler }) => boiler.enabled,
      write: (building, enabled) => withBoiler(building, { enabled }),
    },
  ],
  discretes: [{ address: 0, read: ({ boiler }) => boiler.powerKw > 0 }],
}

export const REGISTER_MAP: readonly UnitMap[] = [INVERTER, GRID_METER, BOILER_UNIT]

function statusWord(battery: Battery): number {
  const wanted = wantedKw(battery)
  const storeRefuses = wanted > 0 ? isFull(battery) : wanted < 0 && isAtReserve(battery)
  const bits = [
    battery.enabled,
    isCharging(battery),
    isDischarging(battery),
    isFull(battery),
    isAtReserve(battery),
    wanted !== battery.setpointKw || storeRefuses,
  ]
  return bits.reduce((word, bit, index) => word | (bit ? 1 << index : 0), 0)
}

export const WIDTH = { int16: 1, uint16: 1, int32: 2, uint32: 2, uint64: 4, float32: 2 } as const
type RegisterType = keyof typeof WIDTH

/** Encodes a value as 16-bit words, high word first. Rounds integers and clamps them to their range. */
export function wordsOf(type: RegisterType, value: number): number[] {
  const bytes = Buffer.alloc(WIDTH[type] * 2)
  if (type === 'float32') bytes.writeFloatBE(value)
  else if (type === 'uint64') bytes.writeBigUInt64BE(BigInt(Math.max(0, Math.round(value))))
  else {
    const [min, max] = RANGE[type]
    const whole = Math.min(Math.max(Math.round(value), min), max)
    if (min < 0) bytes.writeIntBE(whole, 0, bytes.length)
    else bytes.writeUIntBE(whole, 0, bytes.length)
  }
  return Array.from({ length: WIDTH[type] }, (_, index) => bytes.readUInt16BE(index * 2))
}

/** Decodes the words of `wordsOf`. */
export function valueIn(type: RegisterType, words: readonly number[]): number {
  const bytes = Buffer.alloc(WIDTH[type] * 2)
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, index * 2)
  if (type === 'float32') return bytes.readFloatBE()
  if (type === 'uint64') return Number(bytes.readBigUInt64BE())
  return RANGE[type][0] < 0 ? bytes.readIntBE(0, bytes.length) : bytes.readUIntBE(0, bytes.length)
}

const RANGE = {
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint16: [0, 2 ** 16 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
} as const
