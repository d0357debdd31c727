/** An air handling unit that ventilates and heats the hall. District heat feeds its coil, so only the fan draws power. */
export interface AirHandler {
  /** The setpoint of the supply air temperature. */
  setpointC: number
  /** 0 is off. */
  fanPercent: number
  supplyC: number
  roomC: number
  fanKw: number
}

export const AIR_HANDLER = {
  minSetpointC: 14,
  maxSetpointC: 30,
  ratedFanKw: 4,
  supplySeconds: 60,
  /** The heat capacity of the air flow at full speed. */
  airKwPerK: 2,
  wallKwPerK: 0.6,
  roomKwhPerK: 0.5,
  /** The heat from people, lamps and machines in the hall. */
  gainsKw: 9,
  /** The air under the ceiling, where it is extracted, is warmer. */
  ceilingK: 0.5,
}

const FAN_PERCENT = 70

export const newAirHandler: AirHandler = {
  setpointC: 21,
  fanPercent: FAN_PERCENT,
  supplyC: 21,
  roomC: 20.5,
  fanKw: fanPowerKw(FAN_PERCENT),
}

/** Returns the power of the fan, which grows with the cube of its speed. */
export function fanPowerKw(fanPercent: number): number {
  return AIR_HANDLER.ratedFanKw * (fanPercent / 100) ** 3
}

export const extractC = ({ roomC }: AirHandler) => roomC + AIR_HANDLER.ceilingK

/** Returns the unit and its hall `seconds` later. Without air flow, the duct takes on the temperature of the hall. */
export function advanceAirHandler(
  unit: AirHandler,
  { seconds, outdoorC }: { seconds: number; outdoorC: number },
): AirHandler {
  const settlesAt = unit.fanPercent > 0 ? unit.setpointC : unit.roomC
  const supplyC = settlesAt + (unit.supplyC - settlesAt) * Math.exp(-seconds / AIR_HANDLER.supplySeconds)
  const byAirKw = AIR_HANDLER.airKwPerK * (unit.fanPercent / 100) * (unit.supplyC - unit.roomC)
  const outsideKw = AIR_HANDLER.wallKwPerK * (unit.roomC - outdoorC)
  const roomKw = byAirKw + AIR_HANDLER.gainsKw - outsideKw
  return {
    ...unit,
    supplyC,
    roomC: unit.roomC + (roomKw * seconds) / 3600 / AIR_HANDLER.roomKwhPerK,
    fanKw: fanPowerKw(unit.fanPercent),
  }
}
